package racewire.rt;

/**
 * What one thread did at one time at one site to elements of a {@link Block}, one bit each. Most blocks have one word of 64 bits:
 * what is done to them needs no loop, which HotSpot would compile, and mostly several times. Guarded by the block.
 */
class ElementAccess {
    long stamp;
    /** The site; of a write its complement, which makes this object eight bytes smaller. */
    private final int siteAndKind;
    /** See {@link LockSets}; who knows thread and time knows them. */
    int locks;
    /** The elements of the first word. */
    long bits;
    ElementAccess next;

    private ElementAccess(long stamp, boolean write, int site, int locks) {
        this.stamp = stamp;
        this.siteAndKind = write ? ~site : site;
        this.locks = locks;
    }

    /** In a block of so many words. */
    static ElementAccess make(long stamp, boolean write, int site, int locks, int words) {
        return words > 1 ? new OfMany(stamp, write, site, locks, words) : new ElementAccess(stamp, write, site, locks);
    }

    final boolean write() {
        return siteAndKind < 0;
    }

    final int site() {
        return write() ? ~siteAndKind : siteAndKind;
    }

    final boolean isOf(int slot, boolean write, int site) {
        return Stamps.slot(stamp) == slot && write() == write && site() == site;
    }

    int words() {
        return 1;
    }

    long word(int i) {
        return bits;
    }

    // Elements are given as bits, which are 0 but for the words from and to (exclusive).

    boolean touches(long[] elements, int from, int to) {
        return (bits & elements[0]) != 0;
    }

    boolean hasAll(long[] elements, int from, int to) {
        return (elements[0] & ~bits) == 0;
    }

    boolean hasNoOthers(long[] elements) {
        return (bits & ~elements[0]) == 0;
    }

    /** The first of the elements that are here, too. */
    int first(long[] elements, int from) {
        return Long.numberOfTrailingZeros(bits & elements[0]);
    }

    void add(long[] elements, int from, int to) {
        bits |= elements[0];
    }

    /** Takes elements away; whether none is left. */
    boolean remove(long[] elements, int from, int to) {
        bits &= ~elements[0];
        return bits == 0;
    }

    /** In a block of more than one word. */
    private static final class OfMany extends ElementAccess {
        /** The elements of all words but the first. */
        private final long[] more;

        OfMany(long stamp, boolean write, int site, int locks, int words) {
            super(stamp, write, site, locks);
            more = new long[words - 1];
        }

        @Override
        int words() {
            return 1 + more.length;
        }

        @Override
        long word(int i) {
            return i == 0 ? bits : more[i - 1];
        }

        private void set(int i, long elements) {
            if (i == 0) {
                bits = elements;
            } else {
                more[i - 1] = elements;
            }
        }

        @Override
        boolean touches(long[] elements, int from, int to) {
            for (int i = from; i < to; i++) {
                if ((word(i) & elements[i]) != 0) {
                    return true;
                }
            }
            return false;
        }

        @Override
        boolean hasAll(long[] elements, int from, int to) {
            for (int i = from; i < to; i++) {
                if ((elements[i] & ~word(i)) != 0) {
                    return false;
                }
            }
            return true;
        }

        @Override
        boolean hasNoOthers(long[] elements) {
            for (int i = 0; i < words(); i++) {
                if ((word(i) & ~elements[i]) != 0) {
                    return false;
                }
            }
            return true;
        }

        @Override
        int first(long[] elements, int from) {
            int i = from;
            while ((word(i) & elements[i]) == 0) {
                i++;
            }
            return i * Long.SIZE + Long.numberOfTrailingZeros(word(i) & elements[i]);
        }

        @Override
        void add(long[] elements, int from, int to) {
            for (int i = from; i < to; i++) {
                set(i, word(i) | elements[i]);
            }
        }

        @Override
        boolean remove(long[] elements, int from, int to) {
            for (int i = from; i < to; i++) {
                set(i, word(i) & ~elements[i]);
            }
            return isEmpty();
        }

        private boolean isEmpty() {
            for (long word : more) {
                if (word != 0) {
                    return false;
                }
            }
            return bits == 0;
        }
    }
}
