package racewire.rt;

import java.util.Arrays;

/**
 * The reads of one variable since its last write, by several threads: the latest stamp of each. It hangs, in a list, on
 * the object that holds the variable, and goes with it. Guarded by itself.
 */
final class Readers {
    /** Where the variable's read stamp is: tells the variables of one holder apart. */
    final long place;
    final Readers next;
    /** What the read stamp says while these are its readers. */
    long mark;
    private long[] stamps = new long[4];
    /** {@link LockSets}. */
    private int[] locks = new int[4];
    private int count;

    Readers(long place, Readers next) {
        this.place = place;
        this.next = next;
    }

    /** Empty, under a mark of its own: what threads remember of earlier readers does not fit it. */
    void restart(long newMark) {
        count = 0;
        mark = newMark;
    }

    void add(long stamp, int held) {
        int at = 0;
        while (at < count && Stamps.slot(stamps[at]) != Stamps.slot(stamp)) {
            at++;
        }
        if (at == stamps.length) {
            stamps = Arrays.copyOf(stamps, at * 2);
            locks = Arrays.copyOf(locks, at * 2);
        }
        stamps[at] = stamp;
        locks[at] = held;
        count = Math.max(count, at + 1);
    }

    /** A write comes upon all of them. */
    void meet(Encounter met) {
        for (int i = 0; i < count; i++) {
            met.meet(stamps[i], CommonLocks.of(locks[i], false));
        }
    }
}
