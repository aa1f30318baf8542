package racewire.rt;

import java.util.concurrent.ConcurrentHashMap;

/** The pairs of places that race, and how often that was told: a race that recurs forever is told a few times. */
final class RacePairs {
    static final RacePairs CERTAIN = new RacePairs();
    static final RacePairs POTENTIAL = new RacePairs();

    /** A pair is told again while the stack of the earlier access is missing. */
    private static final int TELL = 32;
    private final ConcurrentHashMap<Long, Integer> pairs = new ConcurrentHashMap<>();

    /** A power of two. */
    private static final int PLACES = 1 << 10;
    /** Pairs that were told often enough, by a hash: some programs race all the time. Numbers are whole, and may get lost. */
    private final long[] done = new long[PLACES];

    private RacePairs() { }

    /** Whether {@link #worthTelling} would say so, without counting. */
    boolean isWorthTelling(int earlier, int later) {
        long key = key(earlier, later);
        if (done[place(key)] == ~key) {
            return false;
        }
        Integer told = pairs.get(key);
        if (told == null || told < TELL) {
            return true;
        }
        done[place(key)] = ~key;
        return false;
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

    private static int place(long key) {
        return (int) (key * 0x9E3779B97F4A7C15L >>> 40) & PLACES - 1;
    }

    private static long key(int earlier, int later) {
        return (long) earlier << 32 | later;
    }
}
