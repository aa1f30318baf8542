package racewire.rt;

import java.util.Arrays;

/**
 * Which elements of one array a thread has accessed at one site and has not told of yet: one bit each. It tells of the
 * first one at once and of the others before it releases anything or learns something, since nobody can be ordered
 * behind them earlier, nor they behind anybody else. Only the thread itself uses it while it lives.
 */
final class Footprint {
    private static final long[] NO_BITS = new long[0];
    private static final int[] NOWHERE = new int[0];
    /** Rather a new array than an unused one so long. */
    private static final int LONG = 256;
    /** No array has such an element. */
    private static final int NEVER = Integer.MIN_VALUE;

    static final Footprint NONE = new Footprint(-1, false);

    final long tid;
    private final boolean write;
    ArrayRef ref = ArrayRef.NONE;
    /** The site as the hook knows it: of this class. */
    private int site;
    private Class<?> user;

    /** A loop goes on like this: elements {@code start}, {@code start + step} and so on, up to {@code next}. */
    private int next = NEVER;
    private int step;
    private int start = NEVER;
    /** Those that are not, or no more, of that row. */
    private long[] bits = NO_BITS;
    private int last;

    private Sites sites;
    private int epoch;
    private int locks;
    /** The words that have bits, in the order in which they got the first. */
    private int[] touched = NOWHERE;
    private int count;
    /** How many elements were told of at once. */
    private int told;
    /** When the last access was told of at once, as a stamp: a second one at that time begins to note. */
    private long toldAt;
    /** Odd while there is something to tell of; another one after each change but for the next element and for bits. */
    private int version;
    /** It is among those to be told of. */
    boolean isPending;

    Footprint(long tid, boolean write) {
        this.tid = tid;
        this.write = write;
    }

    /** Whether the access is nothing new to tell of, or is noted now. {@code index} may be any number. */
    boolean notes(int index, int atSite, Class<?> by) {
        if (index == next && site == atSite && user == by) {
            next = index + step;
            return true;
        }
        return notesBit(index, atSite, by);
    }

    /** The same, whatever there is in it by now; of an access that may be added, to one that is not empty. */
    boolean notesAny(int index, int atSite, Class<?> by) {
        if (!notes(index, atSite, by)) {
            add(index);
        }
        return true;
    }

    private boolean notesBit(int index, int atSite, Class<?> by) {
        long[] b = bits;
        int word = index >>> 6;
        if (word >= b.length) {
            return false;
        }
        long old = b[word];
        if ((old >>> index & 1) != 0) {
            return true;
        }
        // The first of a word has to be put down in touched.
        if (old == 0 || site != atSite || user != by) {
            return false;
        }
        b[word] = old | 1L << index;
        last = index;
        return true;
    }

    /** Whether the access may be added; to an empty one any class may add. */
    boolean isOf(Object array, int atSite, Class<?> by) {
        return ref.get() == array && site == atSite && (user == by || count == 0);
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Its array is gone, and there is nothing to tell of. */
    boolean isOver() {
        return ref.hasLeft && !isPending;
    }

    /** One more element, from which on the loop may go on as it has come there. */
    void add(int index) {
        beginChange();
        int from = start == next ? last : next - step;
        endRow();
        put(index >>> 6, 1L << index);
        beginRow(index, index - from);
        endChange();
    }

    private void beginChange() {
        version++;
        Mem.M.storeFence();
    }

    private void endChange() {
        Mem.M.storeFence();
        version++;
    }

    private void beginRow(int index, int by) {
        last = index;
        int distance = Math.abs(by);
        step = distance != 0 && Walk.isRegular(distance) ? by : 1;
        next = index + step;
        start = next;
    }

    /** Its elements get their bits. */
    private void endRow() {
        if (start == next) {
            return;
        }
        int distance = Math.abs(step);
        int low = Math.max(step > 0 ? start : next + distance, (step > 0 ? start : next) & distance - 1);
        int high = Math.min(step > 0 ? next - distance : start, ref.length - 1);
        putAll(low, high, distance);
        start = next;
    }

    /** Bits for elements so far apart; both are such. */
    private void putAll(int low, int high, int distance) {
        if (!Walk.isRegular(distance)) {
            for (long i = low; i <= high; i += distance) {
                put((int) i >>> 6, 1L << i);
            }
            return;
        }
        for (int word = low >>> 6; low <= high && word <= high >>> 6; word++) {
            put(word, Walk.bits(word, low, high, distance));
        }
    }

    /** Whether the walk is nothing new to tell of, or is noted now. */
    boolean notes(Walk walk, int atSite, Class<?> by) {
        if (count == 0 || site != atSite || user != by) {
            return false;
        }
        if (!walk.isEmpty() && !has(walk)) {
            add(walk);
        }
        return true;
    }

    private boolean has(Walk walk) {
        if (!Walk.isRegular(walk.distance)) {
            return false;
        }
        long[] b = bits;
        for (int word = walk.low >>> 6; word <= walk.high >>> 6; word++) {
            if ((Walk.bits(word, walk.low, walk.high, walk.distance) & ~b[word]) != 0) {
                return false;
            }
        }
        return true;
    }

    /** More elements; a single one may begin a row. */
    void addAll(Walk walk) {
        if (walk.low == walk.high) {
            add(walk.low);
        } else {
            add(walk);
        }
    }

    private void add(Walk walk) {
        beginChange();
        endRow();
        putAll(walk.low, walk.high, walk.distance);
        endChange();
    }

    private void put(int word, long elements) {
        if (word >= bits.length) {
            return;
        }
        if (bits[word] == 0) {
            if (count == touched.length) {
                touched = Arrays.copyOf(touched, Math.max(2, count * 2));
            }
            touched[count++] = word;
        }
        bits[word] |= elements;
    }

    /** For another array or site; nothing must be left to be told of. */
    void become(ArrayRef array, int atSite) {
        ref = array;
        site = atSite;
        toldAt = 0;
    }

    /**
     * An access is told of at once; whether it is the second one at this time. Most arrays are accessed once at a site and a
     * time, and what is noted has to be kept, found again and cleared.
     */
    boolean isToldAgain(long stamp) {
        boolean again = toldAt == stamp;
        toldAt = stamp;
        return again;
    }

    /** The first elements, which have been told of. */
    void begin(Sites where, Class<?> by, int when, int under, Walk first) {
        if (first.isEmpty() || first.low < 0 || first.high >= ref.length) {
            return;
        }
        int words = ref.words();
        if (words > bits.length || bits.length > LONG && bits.length / 4 > words) {
            bits = new long[words];
            touched = NOWHERE;
        }
        sites = where;
        user = by;
        epoch = when;
        locks = under;
        putAll(first.low, first.high, first.distance);
        beginRow(first.high, 1);
        told = noted();
        ref.await();
        endChange();
    }

    private int noted() {
        int n = 0;
        for (int i = 0; i < count; i++) {
            n += Long.bitCount(bits[touched[i]]);
        }
        return n;
    }

    /** What there is to tell of by now, told by another thread than that which goes on with it. */
    void tellAside(Clock moving) {
        int before = version;
        Mem.M.loadFence();
        Footprint copy = new Footprint(tid, write);
        copy.ref = ref;
        copy.site = site;
        copy.next = next;
        copy.step = step;
        copy.start = start;
        copy.bits = bits.clone();
        copy.sites = sites;
        copy.epoch = epoch;
        copy.locks = locks;
        copy.touched = touched.clone();
        copy.count = count;
        ArrayAccesses by = new ArrayAccesses(null, moving.copy());
        Mem.M.loadFence();
        if ((before & 1) == 1 && before == version) {
            copy.tell(by);
        }
    }

    void tell(ArrayAccesses by) {
        if (OutOfLine.NEVER) {
            OutOfLine.fill(999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999,
                    999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999);
        }
        if (count == 0) {
            return;
        }
        beginChange();
        endRow();
        if (noted() > told) {
            by.met.begin(by.commonLocks, locks, write);
            ref.access(by, bits, touched, count, write, sites.id(site));
            sites.tellLate(by.who, by.met, epoch, site, ref.get());
        }
        clear();
    }

    /** In the middle of a change. */
    void clear() {
        if (user != null) {
            ref.told();
        }
        for (int i = 0; i < count; i++) {
            bits[touched[i]] = 0;
        }
        count = 0;
        next = NEVER;
        start = NEVER;
        // Classes may be unloaded while the thread waits for work.
        sites = null;
        user = null;
    }
}
