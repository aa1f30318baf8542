package racewire.rt;

import java.util.Arrays;

/**
 * What one access met of earlier accesses to its variable: those it races with, and those that are ordered before it
 * only by who came first to a lock. One per thread, used again and again.
 */
final class Encounter {
    private static final int LATELY = 8;

    private final Clock clock;
    final Accesses races = new Accesses();
    final Accesses chances = new Accesses();

    Encounter(Clock clock) {
        this.clock = clock;
    }

    /** Some of the earlier accesses. */
    static final class Accesses {
        int count;
        private long[] stamps = new long[2];
        /** Their sites, of elements of arrays, whose stamps do not tell; else -1. */
        private int[] sites = new int[2];
        /** Under which locks: see {@link CommonLocks}. */
        private long[] locks = new long[2];

        /** Neighbouring elements of an array mostly meet the same. */
        private boolean hasLately(long stamp, int site) {
            for (int i = count - 1; i >= 0 && i >= count - LATELY; i--) {
                if (stamps[i] == stamp && sites[i] == site) {
                    return true;
                }
            }
            return false;
        }

        private void add(long stamp, int site, long held) {
            if (site >= 0 && hasLately(stamp, site)) {
                return;
            }
            if (count == stamps.length) {
                stamps = Arrays.copyOf(stamps, count * 2);
                sites = Arrays.copyOf(sites, count * 2);
                locks = Arrays.copyOf(locks, count * 2);
            }
            stamps[count] = stamp;
            sites[count] = site;
            locks[count++] = held;
        }

        long stamp(int nth) {
            return stamps[nth];
        }

        int site(int nth) {
            return sites[nth];
        }

        /** Kind and locks. */
        long locks(int nth) {
            return locks[nth];
        }
    }

    void begin() {
        races.count = 0;
        chances.count = 0;
    }

    boolean isEmpty() {
        return races.count + chances.count == 0;
    }

    /** An earlier access to elements of an array; {@code conflicts} unless both are reads. */
    void meet(long stamp, boolean conflicts, int site) {
        if (conflicts) {
            meet(stamp, site, LockSets.UNKNOWN);
        }
    }

    /** An earlier access that conflicts with this one; kind and locks as of {@link CommonLocks}. */
    void meet(long stamp, long locks) {
        meet(stamp, -1, locks);
    }

    private void meet(long stamp, int site, long locks) {
        int slot = Stamps.slot(stamp);
        if (stamp == 0 || slot == clock.slot) {
            return;
        }
        long time = Stamps.time(stamp);
        if (!clock.knows(slot, time)) {
            races.add(stamp, site, locks);
        } else if (Order.HYBRID && (site < 0 || chances.count == 0) && !clock.knowsSurely(slot, time)) {
            // Of elements it only matters whether there are any.
            chances.add(stamp, site, locks);
        }
    }
}
