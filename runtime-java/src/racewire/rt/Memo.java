package racewire.rt;

/**
 * A small direct-mapped cache from two longs to one, private to a thread. It begins small, because virtual
 * threads come by the million, and grows while it misses.
 */
final class Memo {
    /** No result looks like this: words and epochs have bits 62..60 clear. */
    static final long MISS = -1;

    private static final int STRIDE = 4;

    private final int maxEntries;
    private long[] entries;
    private int misses;

    Memo(int firstEntries, int maxEntries) {
        this.maxEntries = maxEntries;
        this.entries = new long[firstEntries * STRIDE];
    }

    /** {@code b} must never be 0: that marks an empty entry. */
    long get(long a, long b) {
        long[] e = entries;
        int at = slot(a, b, e.length);
        return e[at] == a && e[at + 1] == b ? e[at + 2] : MISS;
    }

    void put(long a, long b, long result) {
        int count = entries.length / STRIDE;
        if (++misses > count && count < maxEntries) {
            // The old entries are not carried over: they come back at the price of one miss each.
            entries = new long[Math.min(count * 4, maxEntries) * STRIDE];
            misses = 0;
        }
        long[] e = entries;
        int at = slot(a, b, e.length);
        e[at] = a;
        e[at + 1] = b;
        e[at + 2] = result;
    }

    private static int slot(long a, long b, int length) {
        long mixed = (a * 31 + b) * 0x9E3779B97F4A7C15L;
        return (int) (mixed >>> 40) & length - 1 & -STRIDE;
    }
}
