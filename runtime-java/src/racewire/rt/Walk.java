package racewire.rt;

/** Elements of an array that a loop came to, one after the other; or a single one. */
class Walk {
    static final Walk NOWHERE = new Walk(0, 0);
    /** In place of the index of one element: those of a walk are meant. No array has such an element. */
    static final int ELEMENTS = Integer.MIN_VALUE;

    /** Words of 64 bits all have the same elements up to this distance, if it is a power of two. */
    private static final int WIDEST = 32;
    /** Bits so far apart, by the logarithm of their distance. */
    private static final long[] APART = {-1, 0x5555555555555555L, 0x1111111111111111L, 0x0101010101010101L,
        0x0001000100010001L, 0x0000000100000001L};

    /** The lowest and the highest element; there are none if that is lower. */
    final int low;
    final int high;
    /** How far they are apart. */
    final int distance;

    /** Elements {@code from} to {@code to} (exclusive), one after the other. */
    Walk(int from, int to) {
        low = from;
        high = to - 1;
        distance = 1;
    }

    Walk(int element) {
        this(element, element + 1);
    }

    /**
     * Loops note each element before they access it. So the last one may not be there; if the first one is not, there
     * are none.
     *
     * @param span how far the last is from the first
     * @param stride how far each is from the one before it; 0 if all are the same
     * @param length how many elements the array has
     */
    Walk(int last, int span, int stride, int length) {
        int first = last - span;
        int end = last >= 0 && last < length ? last : last - stride;
        boolean isSomewhere = first >= 0 && first < length && end >= 0 && end < length;
        low = isSomewhere ? Math.min(first, end) : 0;
        high = isSomewhere ? Math.max(first, end) : -1;
        distance = Math.max(1, Math.abs(stride));
    }

    boolean isEmpty() {
        return low > high;
    }

    /** Whether {@link #bits} knows elements so far apart. */
    static boolean isRegular(int distance) {
        return distance <= WIDEST && (distance & distance - 1) == 0;
    }

    /** Those of the elements that are in this word of 64. */
    static long bits(int word, int low, int high, int distance) {
        // Shifts go by the low 6 bits of their distance (JLS 15.19).
        long elements = APART[Integer.numberOfTrailingZeros(distance)] << (low & distance - 1);
        if (word == low >>> 6) {
            elements &= -1L << low;
        }
        return word == high >>> 6 ? elements & -1L >>> ~high : elements;
    }
}
