package racewire.rt;

import java.util.concurrent.ConcurrentHashMap;

/** The pairs of places that race, and how often that was told: a race that recurs forever is told a few times. */
final class RacePairs {
    /** A pair is told again while the stack of the earlier access is missing. */
    private static final int TELL = 32;
    private static final ConcurrentHashMap<Long, Integer> TOLD = new ConcurrentHashMap<>();

    private RacePairs() { }

    static boolean worthTelling(int earlier, int later) {
        Integer told = TOLD.get(key(earlier, later));
        if (told != null && told >= TELL) {
            return false;
        }
        TOLD.put(key(earlier, later), told == null ? 1 : told + 1);
        return true;
    }

    /** There is nothing to add. */
    static void told(int earlier, int later) {
        TOLD.put(key(earlier, later), TELL);
    }

    private static long key(int earlier, int later) {
        return (long) earlier << 32 | later;
    }
}
