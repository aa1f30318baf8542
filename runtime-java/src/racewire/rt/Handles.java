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
                        FieldKey.of(((Class<?>) owner).getName(), (String) name);
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }

    private static Object key(Object handle) {
        try {
            SyncRef known = SyncTable.peek(handle);
            return known == null || known.field == null ? handle : known.field;
        } catch (Throwable keptQuiet) {
            return handle;
        }
    }

    // ---- a static field

    public static void release(Object handle) {
        if (Order.ON && handle != null) {
            Sync.release(key(handle));
        }
    }

    public static void acquire(Object handle) {
        if (Order.ON && handle != null) {
            Sync.acquire(key(handle));
        }
    }

    // ---- a field of an object

    public static void release(Object handle, Object owner) {
        if (Order.ON && handle != null) {
            Sync.put(owner, key(handle));
        }
    }

    public static void acquire(Object handle, Object owner) {
        if (Order.ON && handle != null) {
            Sync.take(owner, key(handle));
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
