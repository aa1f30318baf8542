package racewire.rt;

import java.util.Arrays;
import java.util.concurrent.ConcurrentHashMap;

/** Which site of a field has which ordinal, over all classes that access it: stamps have room for no more. */
final class FieldSites {
    /** Of all containers: one is called through many types. */
    static final FieldSites OF_CONTAINERS = new FieldSites();

    /** By the class that declares a field, with which they live and die, and the field's name. */
    private static final ClassValue<ConcurrentHashMap<String, FieldSites>> ALL =
            new ClassValue<ConcurrentHashMap<String, FieldSites>>() {
                @Override
                protected ConcurrentHashMap<String, FieldSites> computeValue(Class<?> type) {
                    return new ConcurrentHashMap<>();
                }
            };

    private static final int FIRST_RESERVED = 2048;

    /** Site ids plus one, by ordinal; several sites that share one give one of them. */
    private volatile int[] ids = new int[4];

    private FieldSites() { }

    static FieldSites of(Class<?> declaring, String name) {
        FieldSites made = new FieldSites();
        FieldSites known = ALL.get(declaring).putIfAbsent(name, made);
        return known == null ? made : known;
    }

    /** Whether it is the first time. */
    boolean learn(int ordinal, int id) {
        return (ordinal >= ids.length || ids[ordinal] == 0) && add(ordinal, id);
    }

    private synchronized boolean add(int ordinal, int id) {
        boolean isFirst = id(ordinal) < 0;
        int[] more = Arrays.copyOf(ids, Math.max(ids.length, ordinal + 1));
        more[ordinal] = id + 1;
        ids = more;
        return isFirst;
    }

    /** An ordinal for a site that the weaver knew nothing of: from the top, as the weaver's are from the bottom. */
    synchronized int reserve(int id) {
        for (int ordinal = Epochs.SHARED_ORDINAL - 1; ordinal >= FIRST_RESERVED; ordinal--) {
            if (id(ordinal) < 0) {
                add(ordinal, id);
                return ordinal;
            }
        }
        return Epochs.SHARED_ORDINAL;
    }

    /** The site's id, or -1. */
    int id(int ordinal) {
        int[] all = ids;
        return ordinal < all.length ? all[ordinal] - 1 : -1;
    }
}
