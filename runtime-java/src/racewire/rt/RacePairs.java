package racewire.rt;

import java.util.concurrent.ConcurrentHashMap;

/** The pairs of places that race, and how often that was told: a race that recurs forever is told a few times. */
final class RacePairs {
    static final RacePairs CERTAIN = new RacePairs();
    static final RacePairs POTENTIAL = new RacePairs();

    /** A pair is told again while the stack of the earlier access is missing. */
    private static final int TELL = 32;
    private final ConcurrentHashMap<Long, Integer> pairs = new ConcurrentHashMap<>();

    private RacePairs() { }

    /** Whether {@link #worthTelling} would say so, without counting. */
    boolean isWorthTelling(int earlier, int later) {
        Integer told = pairs.get(key(earlier, later));
        return told == null || told < TELL;
    }

    boolean worthTelling(int earlier, int later) {
        Integer told = pairs.get(key(earlier, later));
        if (told != null && told >= TELL) {
            return false;
        }
        pairs.put(key(earlier, later), told == null ? 1 : told + 1);
        return true;
    }

    /** There is nothing to add. */
    void told(int earlier, int later) {
        pairs.put(key(earlier, later), TELL);
    }

    private static long key(int earlier, int later) {
        return (long) earlier << 32 | later;
    }
}
