package racewire.rt;

/**
 * What was done to some neighbouring elements of an array: a few ranges, each read or written by one thread at one time.
 * Loops go over neighbours, so a range is mostly enough for a whole loop; where it is not, the span splits, down to
 * single elements if need be. Guarded by itself, but for what {@link #knows} reads.
 */
final class Span {
    private static final int MAX_RANGES = 8;

    /** One thread at one time. */
    private static final class Range {
        final long stamp;
        final boolean write;
        int from;
        int to;
        int site;
        Range next;

        Range(long stamp, boolean write, int from, int to, int site) {
            this.stamp = stamp;
            this.write = write;
            this.from = from;
            this.to = to;
            this.site = site;
        }

        Range copy() {
            return new Range(stamp, write, from, to, site);
        }

        boolean touches(int a, int b) {
            return from < b && a < to;
        }
    }

    private final int from;
    private final int to;
    private Range ranges;
    private int count;
    /** Once it is split: both halves, and nothing here. */
    private Span left;
    private Span right;

    /** The latest write and the latest read: the same access again by the same thread at the same time is nothing new. */
    private Range lastWrite;
    private Range lastRead;

    Span(int from, int to) {
        this.from = from;
        this.to = to;
    }

    /** Whether this access has been made at this very moment; a stale answer is right too, as it was made once. */
    boolean knows(int index, boolean write, long stamp) {
        Range last = write ? lastWrite : lastRead;
        return last != null && last.stamp == stamp && index >= last.from && index < last.to;
    }

    /** Elements {@code a} to {@code b} (exclusive) are accessed; what was met is in {@code me.met}. */
    synchronized void access(ThreadState me, int a, int b, boolean write, long stamp, int site) {
        if (left != null) {
            int middle = right.from;
            if (a < middle) {
                left.access(me, a, Math.min(b, middle), write, stamp, site);
                remember(left, write);
            }
            if (b > middle) {
                right.access(me, Math.max(a, middle), b, write, stamp, site);
                remember(right, write);
            }
            return;
        }
        for (Range r = ranges; r != null; r = r.next) {
            if (r.touches(a, b)) {
                me.met.meet(r.stamp, write || r.write, r.site);
            }
        }
        Range mine = extend(a, b, write, stamp, site);
        if (write) {
            lastWrite = mine;
        } else {
            lastRead = mine;
        }
        forgetBelow(me, mine);
        if (count > MAX_RANGES && to - from > 1) {
            split();
        }
    }

    private void remember(Span part, boolean write) {
        if (write) {
            lastWrite = part.lastWrite;
        } else {
            lastRead = part.lastRead;
        }
    }

    private Range extend(int a, int b, boolean write, long stamp, int site) {
        for (Range r = ranges; r != null; r = r.next) {
            if (r.stamp == stamp && r.write == write && a <= r.to && b >= r.from) {
                r.from = Math.min(r.from, a);
                r.to = Math.max(r.to, b);
                r.site = site;
                return r;
            }
        }
        Range made = new Range(stamp, write, a, b, site);
        add(made);
        return made;
    }

    private void add(Range r) {
        r.next = ranges;
        ranges = r;
        count++;
    }

    /** Earlier accesses that nobody needs to be compared with any more: whoever is after this one is after them. */
    private void forgetBelow(ThreadState me, Range mine) {
        Range before = null;
        for (Range r = ranges; r != null; r = r.next) {
            boolean below = r != mine && r.touches(mine.from, mine.to) && (mine.write || !r.write)
                    && (mine.write || me.clock.knows(Stamps.slot(r.stamp), Stamps.time(r.stamp)));
            if (below) {
                if (r.from >= mine.from) {
                    r.from = Math.max(r.from, mine.to);
                } else if (r.to <= mine.to) {
                    r.to = mine.from;
                }
            }
            if (r.from >= r.to) {
                count--;
                if (before == null) {
                    ranges = r.next;
                } else {
                    before.next = r.next;
                }
            } else {
                before = r;
            }
        }
    }

    private void split() {
        int middle = from + to >>> 1;
        Span low = new Span(from, middle);
        Span high = new Span(middle, to);
        for (Range r = ranges; r != null; r = r.next) {
            if (r.from < middle) {
                Range part = r.copy();
                part.to = Math.min(part.to, middle);
                low.add(part);
            }
            if (r.to > middle) {
                Range part = r.copy();
                part.from = Math.max(part.from, middle);
                high.add(part);
            }
        }
        ranges = null;
        count = 0;
        lastRead = null;
        lastWrite = null;
        right = high;
        left = low;
    }
}
