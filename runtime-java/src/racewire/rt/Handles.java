package racewire.rt;

import java.lang.reflect.Field;

/**
 * VarHandles and field updaters: a place of its own for each field of each object. Several handles of one field are one,
 * as far as their making was seen.
 */
public final class Handles {
    private Handles() { }

    /** {@code handle} was made for this field. */
    public static void made(Object handle, Object owner, Object name) {
        if (Order.ON && handle != null && owner instanceof Class && name instanceof String) {
            try {
                SyncTable.of(handle, System.identityHashCode(handle)).field =
                        FieldKey.of((Class<?>) owner, (String) name);
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }

    /** {@code handle} was made for this {@link Field}. */
    public static void made(Object handle, Object field) {
        if (field instanceof Field) {
            made(handle, ((Field) field).getDeclaringClass(), ((Field) field).getName());
        }
    }

    /** {@code handle} was made for elements of arrays. */
    public static void ofElements(Object handle) {
        if (Order.ON && handle != null) {
            try {
                SyncTable.of(handle, System.identityHashCode(handle)).field = FieldKey.ELEMENTS;
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }

    /** The field of a handle; null if its making was not seen. */
    static FieldKey field(Object handle) {
        SyncRef known = ThreadTable.current().sync(handle);
        return known.field;
    }

    /** Before a compare-and-set; {@code owner} is null for a static field. */
    static Object attempt(Object handle, Object owner) {
        if (!Order.ON || handle == null) {
            return null;
        }
        try {
            ThreadState me = ThreadTable.current();
            FieldKey field = field(handle);
            return attempt(me, field, field == null ? handle : field, owner);
        } catch (Throwable keptQuiet) {
            return null;
        }
    }

    /** The same where what stands for the field is known. */
    static Object attempt(ThreadState me, FieldKey field, Object key, Object owner) {
        SyncVar variable = field == null ? null : field.variable(owner);
        if (variable == null) {
            variable = owner == null ? me.sync(key).var() : me.sync(owner).element(key, true);
        }
        return variable.attempt(me);
    }

    // ---- a field, however it was reached; {@code owner} is null for a static one

    static void release(FieldKey field, Object owner) {
        SyncVar variable = field.variable(owner);
        if (variable != null) {
            variable.release();
        } else if (owner == null) {
            Sync.release(field);
        } else {
            Sync.put(owner, field);
        }
    }

    static void acquire(FieldKey field, Object owner) {
        SyncVar variable = field.variable(owner);
        if (variable != null) {
            variable.acquire();
        } else if (owner == null) {
            Sync.acquire(field);
        } else {
            Sync.take(owner, field);
        }
    }

    // ---- a static field

    public static void release(Object handle) {
        if (Order.ON && handle != null) {
            try {
                FieldKey field = field(handle);
                if (field == null) {
                    Sync.release(handle);
                } else {
                    release(field, null);
                }
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }

    public static void acquire(Object handle) {
        if (Order.ON && handle != null) {
            try {
                FieldKey field = field(handle);
                if (field == null) {
                    Sync.acquire(handle);
                } else {
                    acquire(field, null);
                }
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }

    // ---- a field of an object

    public static void release(Object handle, Object owner) {
        if (Order.ON && handle != null && owner != null) {
            try {
                FieldKey field = field(handle);
                if (field == null) {
                    Sync.put(owner, handle);
                } else {
                    release(field, owner);
                }
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }

    public static void acquire(Object handle, Object owner) {
        if (Order.ON && handle != null && owner != null) {
            try {
                FieldKey field = field(handle);
                if (field == null) {
                    Sync.take(owner, handle);
                } else {
                    acquire(field, owner);
                }
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }

    // ---- an element of an array

    public static void release(Object handle, Object array, int index) {
        Indexed.release(array, index);
    }

    public static void acquire(Object handle, Object array, int index) {
        Indexed.acquire(array, index);
    }
}
