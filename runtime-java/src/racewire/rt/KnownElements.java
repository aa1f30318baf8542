package racewire.rt;

/**
 * Elements that a thread was found to have accessed at its present time: in each place those of one word of 64 of one array.
 * Blocks know it, too, but to find one and go through its accesses takes several times as long, and most accesses that come
 * out of line are such ones (of ten in Jackson eight, in Lucene nine). Only the thread itself uses it.
 */
final class KnownElements {
    private static final int FIRST = 16;
    private static final int MAX = 1 << 10;
    /** Words of longer arrays have no place: the word's number goes into the bits of a stamp that are an ordinal elsewhere. */
    private static final int WORDS = 1 << Stamps.TIME_SHIFT;

    private IdentityRef[] arrays = new IdentityRef[FIRST];
    /** By place: stamp and word, and which elements. */
    private long[] known = new long[2 * FIRST];
    private int misses;

    private static int place(int hash, int word, int places) {
        return hash + word & places - 1;
    }

    /** Whether the element was accessed at the time of {@code stamp}; no if that is not known. {@code index} may be any number. */
    boolean has(Object array, int hash, int index, long stamp) {
        // A shift goes by the low 6 bits of its distance (JLS 15.19).
        return has(array, hash, index >>> 6, 1L << index, stamp);
    }

    /** The same of all these elements of a word. */
    boolean has(Object array, int hash, int word, long elements, long stamp) {
        IdentityRef[] a = arrays;
        int at = place(hash, word, a.length);
        if (word >= WORDS || known[2 * at] != (stamp | word) || (elements & ~known[2 * at + 1]) != 0) {
            return false;
        }
        IdentityRef ref = a[at];
        return ref != null && ref.get() == array;
    }

    /** See {@link IdentityRef#letGo}. */
    void letGo() {
        IdentityRef.letGo(arrays);
    }

    /** These elements of the array's word were. */
    void learn(IdentityRef array, int word, long stamp, long elements) {
        if (word >= WORDS) {
            return;
        }
        if (++misses > 8 * arrays.length && arrays.length < MAX) {
            misses = 0;
            known = new long[known.length * 4];
            arrays = new IdentityRef[arrays.length * 4];
        }
        int at = place(array.hash, word, arrays.length);
        // To store a reference costs more than to compare it.
        if (arrays[at] != array) {
            arrays[at] = array;
        }
        known[2 * at] = stamp | word;
        known[2 * at + 1] = elements;
    }
}
