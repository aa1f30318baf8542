package racewire.rt;

/**
 * What was done to some neighbouring elements of an array: a few accesses, each by one thread at one time and one site,
 * with their elements as bits. Where that are too many it is kept element by element. Guarded by itself.
 */
final class Block {
    /** Elements are counted in words of 64 bits. */
    static final int WORDS = 16;
    private static final int MOST = 16;

    /** One thread at one time at one site. */
    private static final class Access {
        final long stamp;
        final boolean write;
        final int site;
        /** See {@link LockSets}; who knows thread and time knows them. */
        final int locks;
        final long[] bits;
        Access next;

        Access(long stamp, boolean write, int site, int locks, int words) {
            this.stamp = stamp;
            this.write = write;
            this.site = site;
            this.locks = locks;
            bits = new long[words];
        }

        boolean touches(long[] elements, int from, int to) {
            for (int i = from; i < to; i++) {
                if ((bits[i] & elements[i]) != 0) {
                    return true;
                }
            }
            return false;
        }

        /** The first of the elements that are here, too. */
        int first(long[] elements, int from) {
            int i = from;
            while ((bits[i] & elements[i]) == 0) {
                i++;
            }
            return i * Long.SIZE + Long.numberOfTrailingZeros(bits[i] & elements[i]);
        }

        void add(long[] elements, int from, int to) {
            for (int i = from; i < to; i++) {
                bits[i] |= elements[i];
            }
        }

        /** Takes elements away; whether none is left. */
        boolean remove(long[] elements, int from, int to) {
            for (int i = from; i < to; i++) {
                bits[i] &= ~elements[i];
            }
            for (long word : bits) {
                if (word != 0) {
                    return false;
                }
            }
            return true;
        }
    }

    /** The index in the array of the first one. */
    private final int first;
    private final int elementCount;
    private final int words;
    private Access accesses;
    private int count;
    /** Once there were too many; then nothing is above. */
    private SingleElements single;

    Block(int first, int elementCount) {
        this.first = first;
        this.elementCount = elementCount;
        words = elementCount + Long.SIZE - 1 >>> 6;
    }

    /**
     * Some elements are accessed by the thread of this clock; what was met is in {@code met}.
     *
     * @param elements as bits, which are 0 but for the words {@code from} to {@code to} (exclusive)
     */
    synchronized void access(Encounter met, Clock clock, boolean write, int site, long[] elements, int from, int to) {
        if (single != null) {
            single.access(met, clock, write, site, elements, from, to);
            if (write && isAll(elements)) {
                single = null;
                add(new Access(clock.stamp(), true, site, met.locks(), words), elements, from, to);
            }
            return;
        }
        Access mine = meet(met, clock, write, site, elements, from, to);
        if (mine != null) {
            mine.add(elements, from, to);
        } else {
            add(new Access(clock.stamp(), write, site, met.locks(), words), elements, from, to);
            if (count > MOST) {
                becomeSingle();
            }
        }
    }

    /** Meets the others' accesses and forgets those nobody needs any more; what is known of this very access, or null. */
    private Access meet(Encounter met, Clock clock, boolean write, int site, long[] elements, int from, int to) {
        long stamp = clock.stamp();
        Access mine = null;
        Access before = null;
        for (Access a = accesses; a != null; a = a.next) {
            if (a.stamp == stamp && a.write == write && a.site == site) {
                mine = a;
            } else if (a.touches(elements, from, to)) {
                if (write || a.write) {
                    Encounter.Accesses added = met.meet(a.stamp, a.write, a.locks, a.site);
                    if (added != null) {
                        added.at(first + a.first(elements, from));
                    }
                }
                // Whoever is after this one is after those; and a write stands for what it races with, too.
                boolean forget = write || !a.write && met.supersedes(a.stamp, a.locks);
                if (forget && a.remove(elements, from, to)) {
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
        return mine;
    }

    private void add(Access made, long[] elements, int from, int to) {
        made.add(elements, from, to);
        made.next = accesses;
        accesses = made;
        count++;
    }

    private boolean isAll(long[] elements) {
        for (int i = 0; i < words - 1; i++) {
            if (elements[i] != -1) {
                return false;
            }
        }
        // A shift goes by the low 6 bits of its distance (JLS 15.19).
        return elements[words - 1] == -1L >>> -elementCount;
    }

    private void becomeSingle() {
        single = new SingleElements(first, elementCount);
        for (Access a = accesses; a != null; a = a.next) {
            single.put(a.stamp, a.write, a.site, a.locks, a.bits);
        }
        accesses = null;
        count = 0;
    }
}
