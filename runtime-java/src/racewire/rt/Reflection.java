package racewire.rt;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;

/** Fields that are accessed through {@link Field} and through method handles: as their declaration says. */
public final class Reflection {
    /** Nobody needs to look for the field of a method handle before there is one. */
    private static volatile boolean hasHandles;

    private Reflection() { }

    // ---- java.lang.reflect.Field

    /** Before {@code field} of {@code owner} is accessed, if that is plain. */
    public static void reach(Object field, Object owner) {
        if (Order.ON && field instanceof Field) {
            try {
                FieldKey key = FieldKey.of((Field) field);
                Reached.note(field, key.isVolatile ? null : key, key.isStatic ? null : owner, 0, Reached.Mode.PLAIN);
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }

    /** Before it is written, if it is volatile. */
    public static void release(Object field, Object owner) {
        if (Order.ON && isVolatile(field)) {
            try {
                released(FieldKey.of((Field) field), owner);
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }

    /** After it was read. */
    public static void acquire(Object field, Object owner) {
        if (Order.ON && isVolatile(field)) {
            try {
                acquired(FieldKey.of((Field) field), owner);
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }

    /** Few fields are, and this is told without a look into the tables. */
    private static boolean isVolatile(Object field) {
        return field instanceof Field && Modifier.isVolatile(((Field) field).getModifiers());
    }

    private static void released(FieldKey key, Object owner) {
        if (key.isVolatile && (key.isStatic || owner != null)) {
            Handles.release(key, key.isStatic ? null : owner);
        }
    }

    private static void acquired(FieldKey key, Object owner) {
        if (key.isVolatile && (key.isStatic || owner != null)) {
            Handles.acquire(key, key.isStatic ? null : owner);
        }
    }

    // ---- method handles, by how they were made

    public static void getter(Object handle, Object owner, Object name) {
        made(handle, owner, name, false);
    }

    public static void setter(Object handle, Object owner, Object name) {
        made(handle, owner, name, true);
    }

    public static void getter(Object handle, Object field) {
        if (field instanceof Field) {
            made(handle, ((Field) field).getDeclaringClass(), ((Field) field).getName(), false);
        }
    }

    public static void setter(Object handle, Object field) {
        if (field instanceof Field) {
            made(handle, ((Field) field).getDeclaringClass(), ((Field) field).getName(), true);
        }
    }

    private static void made(Object handle, Object owner, Object name, boolean isSetter) {
        if (Order.ON && handle != null) {
            try {
                SyncTable.of(handle, System.identityHashCode(handle)).isSetter = isSetter;
                Handles.made(handle, owner, name);
                hasHandles = true;
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }

    // ---- their calls, with the first argument if that is an object

    public static void invoking(Object handle) {
        invoking(handle, null);
    }

    public static void invoking(Object handle, Object owner, int value) {
        invoking(handle, owner);
    }

    public static void invoking(Object handle, Object owner) {
        SyncRef made = made(handle);
        if (made != null) {
            FieldKey key = made.field;
            try {
                Object of = key.isStatic ? null : owner;
                if (made.isSetter) {
                    released(key, of);
                }
                Reached.note(handle, key.isVolatile ? null : key, of, 0, Reached.Mode.PLAIN);
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }

    /** The handle again if it reads a field, as something that reads. */
    public static Object ifGetter(Object handle) {
        SyncRef made = made(handle);
        return made == null || made.isSetter ? null : handle;
    }

    public static Object ifSetter(Object handle) {
        SyncRef made = made(handle);
        return made == null || !made.isSetter ? null : handle;
    }

    public static void invoked(Object handle) {
        invoked(handle, null);
    }

    public static void invoked(Object handle, Object owner, int value) {
        invoked(handle, owner);
    }

    public static void invoked(Object handle, Object owner) {
        SyncRef made = made(handle);
        if (made != null && !made.isSetter) {
            try {
                acquired(made.field, owner);
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }

    /** What is known of the handle; null if it is none of a field. */
    private static SyncRef made(Object handle) {
        if (!Order.ON || !hasHandles || handle == null) {
            return null;
        }
        try {
            SyncRef known = ThreadTable.current().sync(handle);
            return known.field == null ? null : known;
        } catch (Throwable keptQuiet) {
            return null;
        }
    }
}
