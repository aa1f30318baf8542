package racewire.rt;

/**
 * When a thread was last put among which {@link Readers}: what many threads read is known here without any shared write.
 * Direct-mapped, private to the thread.
 */
final class LatestReads {
    private static final int PLACES = 64;
    private static final long[] NOTHING = new long[2];

    /** Mark and time, alternately. */
    private long[] latest = NOTHING;

    void put(long mark, long time) {
        if (latest == NOTHING) {
            latest = new long[PLACES * 2];
        }
        int at = (int) mark * 2 & latest.length - 1;
        latest[at] = mark;
        latest[at + 1] = time;
    }

    boolean has(long mark, long time) {
        long[] l = latest;
        int at = (int) mark * 2 & l.length - 1;
        return l[at] == mark && l[at + 1] == time;
    }
}
