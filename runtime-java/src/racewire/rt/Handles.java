package racewire.rt;

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

    /** The field of a handle; null if its making was not seen. */
    private static FieldKey field(Object handle) {
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
            SyncVar variable = field == null ? null : field.variable(owner);
            if (variable == null) {
                Object key = field == null ? handle : field;
                variable = owner == null ? me.sync(key).var : me.sync(owner).element(key, true);
            }
            return variable.attempt(me);
        } catch (Throwable keptQuiet) {
            return null;
        }
    }

    // ---- a static field

    public static void release(Object handle) {
        if (Order.ON && handle != null) {
            try {
                FieldKey field = field(handle);
                SyncVar variable = field == null ? null : field.variable(null);
                if (variable != null) {
                    variable.release();
                } else {
                    Sync.release(field == null ? handle : field);
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
                SyncVar variable = field == null ? null : field.variable(null);
                if (variable != null) {
                    variable.acquire();
                } else {
                    Sync.acquire(field == null ? handle : field);
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
                SyncVar variable = field == null ? null : field.variable(owner);
                if (variable != null) {
                    variable.release();
                } else {
                    Sync.put(owner, field == null ? handle : field);
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
                SyncVar variable = field == null ? null : field.variable(owner);
                if (variable != null) {
                    variable.acquire();
                } else {
                    Sync.take(owner, field == null ? handle : field);
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
