package racewire.rt;

/**
 * What was done to some neighbouring elements of an array: a few accesses, each by one thread at one time and one site,
 * with their elements as bits. Where that are too many it is kept element by element. Guarded by itself.
 *
 * <p>Most arrays are short, and programs make them by the million: there the block is the {@link ArrayRef} itself. Those of
 * long arrays are references to nothing.
 */
class Block extends IdentityRef {
    /** Elements are counted in words of 64 bits. */
    static final int WORDS = 16;
    private static final int MOST = 16;
    /** Of a short array: to go through so many takes longer than to look at an element, and they take more room. */
    private static final int MOST_OF_FEW = 6;

    /** The index in the array of the first one. */
    private final int first;
    /** How many. */
    final int length;
    private ElementAccess accesses;
    private byte count;
    /** Once there were too many; then nothing is above. */
    private SingleElements single;

    /** Of a long array. */
    Block(int first, int length) {
        this(null, 0, first, length);
    }

    Block(Object array, int hash, int first, int length) {
        super(array, hash, null);
        this.first = first;
        this.length = length;
    }

    /** How many words of 64 bits have a bit for each element. */
    final int words() {
        return length + Long.SIZE - 1 >>> 6;
    }

    /**
     * Some elements are accessed by the thread of this clock; what was met is in {@code met}. Whether the thread was at this site or
     * at these elements at this very time before, and may be in a loop.
     *
     * @param elements as bits, which are 0 but for the words {@code from} to {@code to} (exclusive)
     */
    final synchronized boolean access(Encounter met, Clock clock, boolean write, int site, long[] elements, int from, int to) {
        if (single != null) {
            single.access(met, clock, write, site, elements, from, to);
            boolean again = single.isAgain(clock.stamp(), site);
            if (write && isAll(elements)) {
                single = null;
                add(clock.stamp(), true, site, met.locks(), elements, from, to);
            }
            return again;
        }
        // A trace has every access, and whoever reads it takes in every one.
        if (!Trace.ON && isKnown(clock.stamp(), write, elements, from, to)) {
            return true;
        }
        return takeIn(met, clock, write, site, elements, from, to);
    }

    /**
     * The same for one element and without the lock, which may miss it: 0, or which elements of its word of 64 are known
     * like it. Who has written them meanwhile has met that access, at the same time, of this thread.
     */
    final long known(long stamp, boolean write, int element) {
        int word = element - first >>> 6;
        for (ElementAccess a = accesses; a != null && word < WORDS; a = a.next) {
            if (a.stamp == stamp && (a.write() || !write) && word < a.words()) {
                long elements = a.word(word);
                // A shift goes by the low 6 bits of its distance (JLS 15.19).
                if ((elements >>> element & 1) != 0) {
                    return elements;
                }
            }
        }
        SingleElements each = single;
        return each != null && each.isKnown(stamp, write, element - first) ? 1L << element : 0;
    }

    /**
     * Whether the thread has accessed these elements at this very time, and nobody has written them since: who races with
     * this access races with that one. A read is nothing new after a write, either.
     */
    private boolean isKnown(long stamp, boolean write, long[] elements, int from, int to) {
        for (ElementAccess a = accesses; a != null; a = a.next) {
            if (a.stamp == stamp && (a.write() || !write) && a.hasAll(elements, from, to)) {
                return true;
            }
        }
        return false;
    }

    /** Meets the others' accesses, forgets those nobody needs any more, and keeps this one; whether the thread was here at this time before. */
    private boolean takeIn(Encounter met, Clock clock, boolean write, int site, long[] elements, int from, int to) {
        long stamp = clock.stamp();
        ElementAccess mine = null;
        boolean again = false;
        ElementAccess before = null;
        for (ElementAccess a = accesses; a != null; a = a.next) {
            if (a.stamp == stamp && a.write() == write && a.site() == site) {
                mine = a;
                again = true;
            } else if (a.touches(elements, from, to)) {
                if (write || a.write()) {
                    Encounter.Accesses added = met.meet(a.stamp, a.write(), a.locks, a.site());
                    if (added != null) {
                        added.at(first + a.first(elements, from));
                    }
                }
                // Whoever is after this one is after those; and a write stands for what it races with, too.
                boolean forget = write || !a.write() && met.supersedes(a.stamp, a.locks);
                if (forget && mine == null && a.isOf(clock.slot, write, site) && a.hasNoOthers(elements)) {
                    // The thread is here again, at another time.
                    a.stamp = stamp;
                    a.locks = met.locks();
                    mine = a;
                } else if (forget && a.remove(elements, from, to)) {
                    count--;
                    if (before == null) {
                        accesses = a.next;
                    } else {
                        before.next = a.next;
                    }
                    continue;
                }
            }
            before = a;
        }
        if (mine != null) {
            mine.add(elements, from, to);
        } else {
            add(stamp, write, site, met.locks(), elements, from, to);
            if (count > (length > MOST ? MOST : MOST_OF_FEW)) {
                becomeSingle();
            }
        }
        return again;
    }

    private void add(long stamp, boolean write, int site, int locks, long[] elements, int from, int to) {
        ElementAccess made = ElementAccess.make(stamp, write, site, locks, words());
        made.add(elements, from, to);
        made.next = accesses;
        accesses = made;
        count++;
    }

    private boolean isAll(long[] elements) {
        int words = words();
        for (int i = 0; i < words - 1; i++) {
            if (elements[i] != -1) {
                return false;
            }
        }
        // A shift goes by the low 6 bits of its distance (JLS 15.19).
        return elements[words - 1] == -1L >>> -length;
    }

    private void becomeSingle() {
        single = new SingleElements(first, length);
        for (ElementAccess a = accesses; a != null; a = a.next) {
            for (int w = 0; w < words(); w++) {
                single.put(a.stamp, a.write(), a.site(), a.locks, w, a.word(w));
            }
        }
        accesses = null;
        count = 0;
    }

    /** Nobody will ask any more. For who holds it. */
    final void forgetAccesses() {
        accesses = null;
        count = 0;
        single = null;
    }
}
