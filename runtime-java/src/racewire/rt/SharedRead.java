package racewire.rt;

/** One thread's latest read of a variable that several threads read; only that thread changes it, see {@link Readers}. */
final class SharedRead {
    /** No mark. */
    static final long UNKNOWN = 0;

    /** Of the {@link Readers} it belongs to; or {@link #UNKNOWN}. */
    final long mark;
    long stamp;
    /** {@link LockSets}. */
    final int locks;

    SharedRead(long mark, long stamp, int locks) {
        this.mark = mark;
        this.stamp = stamp;
        this.locks = locks;
    }

    /** Whether it was at this moment of its thread. */
    boolean isOf(long moment) {
        return ((stamp ^ moment) & Stamps.WHO_AND_WHEN) == 0;
    }
}
