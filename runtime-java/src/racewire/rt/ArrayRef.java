package racewire.rt;

import java.lang.reflect.Array;

/** An array of the program, weakly, with what was done to its elements; of a short one that is all in itself. */
final class ArrayRef extends Block {
    /** Those of the program's arrays. */
    static final PartedTable<ArrayRef> ALL = new PartedTable<ArrayRef>() {
        @Override
        ArrayRef make(Object array, int hash) {
            return new ArrayRef(array, hash);
        }

        @Override
        void gone(ArrayRef ref) {
            ref.gone();
        }
    };

    /** Of no array. */
    static final ArrayRef NONE = new ArrayRef(null, 0);

    private static final int WORD_SHIFT = 6;
    private static final int FEW = 8;
    /** Of a block of a long array. */
    private static final int ELEMENTS = WORDS << WORD_SHIFT;

    /** Of a long array, filled as elements are accessed, under this object. */
    private Block[] blocks;
    /** Threads' footprints that have still to be told of. */
    private int awaited;
    private boolean isGone;

    private ArrayRef(Object array, int hash) {
        super(array, hash, 0, array == null ? 0 : Array.getLength(array));
    }

    synchronized void await() {
        awaited++;
    }

    /** Whether a loop over it is longer than it takes to begin a footprint, and to tell of it. */
    boolean isWorthNoting() {
        return length > FEW;
    }

    /** Whether the current thread may have such a footprint; what others have does not matter. */
    boolean isAwaited() {
        return awaited > 0;
    }

    synchronized void told() {
        awaited--;
        forget();
    }

    /** The array is no more. */
    private synchronized void gone() {
        isGone = true;
        forget();
    }

    /** Threads keep this object for a while, to find it sooner; all else should go with the array. */
    private void forget() {
        if (isGone && awaited == 0) {
            forgetAccesses();
            blocks = null;
        }
    }

    /** See {@link Block#known(long, boolean, int)}; of an element that may not be there. */
    long knownAround(long stamp, boolean write, int element) {
        Block[] parts = blocks;
        Block block = words() <= WORDS ? this : parts == null || element < 0 || element >= length ? null
                : parts[element / ELEMENTS];
        return block == null ? 0 : block.known(stamp, write, element);
    }

    /** One element, which is there, is accessed; whether that was done at this time and site before. */
    boolean access(ArrayAccesses by, int element, boolean write, int site) {
        Block block = words() <= WORDS ? this : part(element / ELEMENTS);
        int word = element % ELEMENTS >>> WORD_SHIFT;
        // A shift goes by the low 6 bits of its distance (JLS 15.19).
        by.scratch[word] = 1L << element;
        try {
            return OutOfLine.inBlock(block, by, write, site, word, word + 1);
        } finally {
            // Also if there is no stack left: the next access would come to this element, too.
            by.scratch[word] = 0;
        }
    }

    /** Elements {@code from} to {@code to} (exclusive) are accessed, so far apart, as far as there are such. */
    void access(ArrayAccesses by, int from, int to, int distance, boolean write, int site) {
        long[] elements = by.scratch;
        int low = Math.max(from, 0);
        int high = Math.min(to, length) - 1;
        for (int word = low >>> WORD_SHIFT; low <= high && word <= high >>> WORD_SHIFT;) {
            int nth = word / WORDS;
            int first = nth * WORDS;
            int begin = word - first;
            int end = Math.min(high >>> WORD_SHIFT, first + WORDS - 1) - first;
            for (int w = begin; w <= end; w++) {
                elements[w] = Walk.bits(first + w, low, high, distance);
            }
            tell(by, nth, write, site, begin, end + 1);
            word = first + end + 1;
        }
    }

    /**
     * The elements with a bit are accessed, as far as there are such.
     *
     * @param touched which words have bits: the first {@code count} of these
     */
    void access(ArrayAccesses by, long[] bits, int[] touched, int count, boolean write, int site) {
        long[] elements = by.scratch;
        int words = words();
        for (int i = 0; i < count;) {
            int nth = touched[i] / WORDS;
            int low = WORDS;
            int high = 0;
            for (; i < count && touched[i] / WORDS == nth; i++) {
                int word = touched[i];
                int at = word % WORDS;
                if (word < words) {
                    elements[at] = word < words - 1 ? bits[word] : bits[word] & -1L >>> -length;
                    low = Math.min(low, at);
                    high = Math.max(high, at + 1);
                }
            }
            if (low < high) {
                tell(by, nth, write, site, low, high);
            }
        }
    }

    private void tell(ArrayAccesses by, int nth, boolean write, int site, int low, int high) {
        Block block = words() <= WORDS ? this : part(nth);
        try {
            OutOfLine.inBlock(block, by, write, site, low, high);
        } finally {
            for (int w = low; w < high; w++) {
                by.scratch[w] = 0;
            }
        }
    }

    private synchronized Block part(int nth) {
        if (blocks == null) {
            blocks = new Block[(words() + WORDS - 1) / WORDS];
        }
        if (blocks[nth] == null) {
            blocks[nth] = new Block(nth * ELEMENTS, Math.min(ELEMENTS, length - nth * ELEMENTS));
        }
        return blocks[nth];
    }
}
