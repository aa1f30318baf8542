package racewire.rt;

import java.util.Arrays;

/**
 * The reads of one variable since its last write, by several threads: the latest stamp of each. It hangs, in a list, on
 * the object that holds the variable, and goes with it. Guarded by itself.
 */
final class Readers {
    private static long made;

    /** Where the variable's read stamp is: tells the variables of one holder apart. */
    final long place;
    final Readers next;
    /** What the read stamp says while these are its readers. */
    long mark;
    private long[] stamps = new long[4];
    private int count;

    Readers(long place, Readers next) {
        this.place = place;
        this.next = next;
    }

    /** Empty, under a mark of its own: what threads remember of earlier readers does not fit it. */
    void restart() {
        count = 0;
        mark = Stamps.SHARED | number();
    }

    private static synchronized long number() {
        return ++made;
    }

    void add(long stamp) {
        int slot = Stamps.slot(stamp);
        for (int i = 0; i < count; i++) {
            if (Stamps.slot(stamps[i]) == slot) {
                stamps[i] = stamp;
                return;
            }
        }
        if (count == stamps.length) {
            stamps = Arrays.copyOf(stamps, count * 2);
        }
        stamps[count++] = stamp;
    }

    int count() {
        return count;
    }

    long stamp(int nth) {
        return stamps[nth];
    }
}
