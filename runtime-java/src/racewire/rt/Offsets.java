package racewire.rt;

import java.lang.reflect.Field;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Fields that are accessed by their offset, through {@code Unsafe}: those whose offset woven code has asked for. What
 * else has an offset, such as an element of an array, is a place to hand things over at, and no more.
 */
public final class Offsets {
    private static final Fields INSTANCE = new Fields();
    private static final Fields STATIC = new Fields();

    /** By the class that declares them. */
    private static final class Fields extends ClassValue<ConcurrentHashMap<Long, FieldKey>> {
        @Override
        protected ConcurrentHashMap<Long, FieldKey> computeValue(Class<?> type) {
            return new ConcurrentHashMap<>();
        }
    }

    private Offsets() { }

    /** This is the offset of this {@link Field}. */
    public static void made(Object field, long offset) {
        if (Order.ON && field instanceof Field) {
            try {
                FieldKey key = FieldKey.of((Field) field);
                (key.isStatic ? STATIC : INSTANCE).get(((Field) field).getDeclaringClass()).put(offset, key);
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }

    /** null if nobody has asked for the offset of that field. Static fields are found in their class. */
    private static FieldKey find(Object owner, long offset) {
        if (owner instanceof Class) {
            FieldKey known = STATIC.get((Class<?>) owner).get(offset);
            if (known != null) {
                return known;
            }
        }
        for (Class<?> c = owner.getClass(); c != null; c = c.getSuperclass()) {
            FieldKey known = INSTANCE.get(c).get(offset);
            if (known != null) {
                return known;
            }
        }
        return null;
    }

    // ---- accesses

    public static void plain(Object unsafe, Object owner, long offset) {
        reach(unsafe, owner, offset, Reached.Mode.PLAIN);
    }

    public static void atomic(Object unsafe, Object owner, long offset) {
        reach(unsafe, owner, offset, Reached.Mode.ATOMIC);
    }

    public static void look(Object unsafe, Object owner, long offset) {
        reach(unsafe, owner, offset, Reached.Mode.LOOK);
    }

    private static void reach(Object unsafe, Object owner, long offset, Reached.Mode mode) {
        // Without an owner it is an address.
        if (Order.ON && unsafe != null && owner != null) {
            try {
                FieldKey key = find(owner, offset);
                Reached.note(unsafe, key, key == null || key.isStatic ? null : owner, 0, mode);
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }

    // ---- order

    public static void release(Object owner, long offset) {
        if (Order.ON && owner != null) {
            try {
                FieldKey key = find(owner, offset);
                if (key == null) {
                    Sync.put(owner, Indexed.key((int) offset));
                } else {
                    Handles.release(key, key.isStatic ? null : owner);
                }
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }

    public static void acquire(Object owner, long offset) {
        if (Order.ON && owner != null) {
            try {
                FieldKey key = find(owner, offset);
                if (key == null) {
                    Sync.take(owner, Indexed.key((int) offset));
                } else {
                    Handles.acquire(key, key.isStatic ? null : owner);
                }
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }

    /** Before a compare-and-set; see {@link Attempts}. */
    public static Object attempt(Object owner, long offset) {
        if (!Order.ON || owner == null) {
            return null;
        }
        try {
            FieldKey key = find(owner, offset);
            return Handles.attempt(ThreadTable.current(), key, key == null ? Indexed.key((int) offset) : key,
                    key != null && key.isStatic ? null : owner);
        } catch (Throwable keptQuiet) {
            return null;
        }
    }
}
