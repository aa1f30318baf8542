package racewire.rt;

import java.util.concurrent.ConcurrentHashMap;

/** Elements of arrays, each a place of its own through which threads hand things over. */
public final class Indexed {
    /** One object for each index, so that it can be told by its identity. */
    private static final ConcurrentHashMap<Integer, Integer> KEYS = new ConcurrentHashMap<>();

    private Indexed() { }

    static Object key(int index) {
        Integer boxed = index;
        Integer known = KEYS.putIfAbsent(boxed, boxed);
        return known == null ? boxed : known;
    }

    public static void release(Object array, int index) {
        if (Order.ON) {
            Sync.put(array, key(index));
        }
    }

    public static void acquire(Object array, int index) {
        if (Order.ON) {
            Sync.take(array, key(index));
        }
    }
}
