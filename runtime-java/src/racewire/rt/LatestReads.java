package racewire.rt;

/**
 * A thread's reads of what several threads read: known here without any shared write, and found here to be brought up to
 * date without a lock. Direct-mapped, private to the thread; begins small, grows while it misses what it once had. To grow for
 * what is new to it would keep ever more reads of what is gone: 16,000 in each thread of a server.
 */
final class LatestReads {
    private static final SharedRead[] NONE = {null};
    private static final int FIRST = 64;
    private static final int MAX = 1 << 14;

    private SharedRead[] latest = NONE;
    private int misses;

    /** The thread's read among the readers with this mark, or null. */
    SharedRead get(long mark) {
        SharedRead[] l = latest;
        SharedRead read = l[place(mark, l.length)];
        return read != null && read.mark == mark ? read : null;
    }

    /** {@code wasKnown}: one with this mark was put here before. */
    void put(SharedRead read, boolean wasKnown) {
        if (wasKnown && get(read.mark) == null) {
            misses++;
        }
        if (latest == NONE || misses > latest.length && latest.length < MAX) {
            misses = 0;
            SharedRead[] old = latest;
            latest = new SharedRead[Math.max(FIRST, old.length * 4)];
            for (SharedRead kept : old) {
                if (kept != null) {
                    latest[place(kept.mark, latest.length)] = kept;
                }
            }
        }
        latest[place(read.mark, latest.length)] = read;
    }

    /** Its thread has ended. */
    void clear() {
        latest = NONE;
    }

    /** Marks are numbers of a thread's own: the threads' are spread. */
    private static int place(long mark, int places) {
        return (int) (mark + (mark >>> Stamps.MARK_BITS) * 0x9E37) & places - 1;
    }
}
