package racewire.rt;

import java.util.Arrays;

/**
 * What one access met of earlier accesses to its variable: those it races with, and those that are ordered before it
 * only by who came first to a lock. One per thread, used again and again.
 */
final class Encounter {
    private static final int LATELY = 8;

    private final Clock clock;
    final Accesses races;
    final Accesses chances;

    Encounter(Clock clock) {
        this.clock = clock;
        races = new Accesses(clock);
        chances = new Accesses(clock);
    }

    /** Some of the earlier accesses. */
    static final class Accesses {
        int count;
        /** Of who met them. */
        private final Clock clock;
        private long[] stamps = new long[2];
        /** Their sites, of elements of arrays, whose stamps do not tell; else -1. */
        private int[] sites = new int[2];
        /** Under which locks: see {@link CommonLocks}. */
        private long[] locks = new long[2];
        /** Of elements of arrays: one that both accesses came to; else -1. */
        private int[] elements = new int[2];

        Accesses(Clock clock) {
            this.clock = clock;
        }

        /** Neighbouring elements of an array mostly meet the same. */
        private boolean hasLately(long stamp, int site) {
            for (int i = count - 1; i >= 0 && i >= count - LATELY; i--) {
                if (stamps[i] == stamp && sites[i] == site) {
                    return true;
                }
            }
            return false;
        }

        private boolean add(long stamp, int site, long held) {
            if (site >= 0 && hasLately(stamp, site)) {
                return false;
            }
            if (count == stamps.length) {
                stamps = Arrays.copyOf(stamps, count * 2);
                sites = Arrays.copyOf(sites, count * 2);
                locks = Arrays.copyOf(locks, count * 2);
                elements = Arrays.copyOf(elements, count * 2);
            }
            stamps[count] = stamp;
            sites[count] = site;
            elements[count] = -1;
            locks[count++] = held;
            return true;
        }

        boolean hasRead() {
            for (int i = 0; i < count; i++) {
                if (!CommonLocks.isWrite(locks[i])) {
                    return true;
                }
            }
            return false;
        }

        /** Whether the {@code nth}, at this site, could not have come later: see {@link Doors}. */
        boolean wasKeptFirst(int nth, int site) {
            return CommonLocks.locks(locks[nth]) != LockSets.NONE && Looks.keptFirst(clock, stamps[nth], site);
        }

        /** The latest was of this element. */
        void at(int element) {
            elements[count - 1] = element;
        }

        int element(int nth) {
            return elements[nth];
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

    /** An earlier access that conflicts with this one; kind and locks as of {@link CommonLocks}. */
    void meet(long stamp, long locks) {
        int slot = Stamps.slot(stamp);
        if (stamp == 0 || slot == clock.slot) {
            return;
        }
        long time = Stamps.time(stamp);
        if (!clock.knows(slot, time)) {
            races.add(stamp, -1, locks);
        } else if (Order.HYBRID && !clock.knowsSurely(slot, time)) {
            chances.add(stamp, -1, locks);
        }
    }

    // ---- elements of arrays: one access meets many, of which most have its locks

    private CommonLocks common;
    /** Kind and locks of this access. */
    private long mine;
    /** Among those that came before by chance some had a lock in common with this one. */
    private boolean hasProtected;

    /** An access to elements begins. */
    void begin(CommonLocks known, int locks, boolean write) {
        begin();
        if (common != known) {
            // A reference that is stored costs G1 a fence, and more.
            common = known;
        }
        mine = CommonLocks.of(locks, write);
        hasProtected = false;
    }

    int locks() {
        return CommonLocks.locks(mine);
    }

    boolean hasProtected() {
        return hasProtected;
    }

    /** An earlier access to some of the elements, which conflicts with this one: where it was added to, or null. */
    Accesses meet(long stamp, boolean write, int locks, int site) {
        int slot = Stamps.slot(stamp);
        if (stamp == 0 || slot == clock.slot) {
            return null;
        }
        long time = Stamps.time(stamp);
        if (!clock.knows(slot, time)) {
            return races.add(stamp, site, CommonLocks.of(locks, write)) ? races : null;
        }
        if (Order.HYBRID && !clock.knowsSurely(slot, time)) {
            long theirs = CommonLocks.of(locks, write);
            if (!common.protect(theirs, mine)) {
                return chances.add(stamp, site, theirs) ? chances : null;
            }
            hasProtected = true;
        }
        return null;
    }

    /**
     * Whether a read gives way to this one: whoever is after this one is after that. By chance is enough if this one
     * holds no other locks, since reads under one lock would pile up.
     */
    boolean supersedes(long stamp, int locks) {
        int slot = Stamps.slot(stamp);
        long time = Stamps.time(stamp);
        return clock.knows(slot, time)
                && (!Order.HYBRID || locks == locks() || locks() == LockSets.NONE || clock.knowsSurely(slot, time));
    }
}
