package racewire.rt;

import java.util.Arrays;

/**
 * The reads of one variable since its last write, by several threads: the latest stamp of each. It hangs, in a list, on
 * the object that holds the variable, and goes with it. Guarded by itself, but for the stamps: a thread brings its own up
 * to date while the mark stands.
 */
final class Readers {
    /** Where the variable's read stamp is: tells the variables of one holder apart. */
    final long place;
    final Readers next;
    /** What the read stamp says while these are its readers. */
    long mark;
    private SharedRead[] reads;
    private int count;

    /** Others may find it without a lock: it has nothing but final fields yet. */
    Readers(long place, Readers next) {
        this.place = place;
        this.next = next;
    }

    /** The first of the readers in their place, where an object may keep the entry of its monitor with them. */
    static Readers in(Object place) {
        return place instanceof LockRef.WithPast ? ((LockRef.WithPast) place).readers : (Readers) place;
    }

    /** Empty, under a mark of its own: what threads remember of earlier readers does not fit it. */
    void restart(long newMark) {
        if (reads == null) {
            reads = new SharedRead[4];
        }
        count = 0;
        mark = newMark;
    }

    /** In place of the thread's earlier one. */
    SharedRead add(long stamp, int locks) {
        return set(of(stamp), new SharedRead(mark, stamp, locks));
    }

    /** That of another thread, which does not know of it. */
    void addUnknown(long stamp, int locks) {
        set(of(stamp), new SharedRead(SharedRead.UNKNOWN, stamp, locks));
    }

    private SharedRead set(int at, SharedRead read) {
        if (at == reads.length) {
            reads = Arrays.copyOf(reads, at * 2);
        }
        count = Math.max(count, at + 1);
        reads[at] = read;
        return read;
    }

    /** Whether the thread of this stamp once knew its read here. */
    boolean wasKnown(long stamp) {
        int at = of(stamp);
        return at < count && reads[at].mark == mark;
    }

    /** Where the reads of the thread of this stamp are, or will be. */
    private int of(long stamp) {
        int at = 0;
        while (at < count && Stamps.slot(reads[at].stamp) != Stamps.slot(stamp)) {
            at++;
        }
        return at;
    }

    /** A write comes upon all of them. */
    void meet(Encounter met) {
        for (int i = 0; i < count; i++) {
            met.meet(reads[i].stamp, CommonLocks.of(reads[i].locks, false));
        }
    }
}
