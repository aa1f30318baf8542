package racewire.rt;

/**
 * Which sites are in which set, for words of fields with more sites than bits (crate {@code detectors}, module
 * {@code site_sets}): what accesses have found out so far. A set never changes and its number is never used again, so
 * whatever any thread has learned holds for all of them; what gets lost, or was not seen yet, is merely slower.
 */
final class SiteSets {
    /** The bit of words with a set. */
    static final long SET = 1L << 31;

    /** Happens-before asks for no sets. */
    private static final int INDEX_BITS = Order.ON ? 1 : 15;

    /** Direct-mapped, by {@link #key}; written without any order between threads, each entry being one long. */
    private static final long[] MEMBERS = new long[1 << INDEX_BITS];

    private SiteSets() { }

    /** Whether a word says that the site touched the variable in the current thread's epoch, as far as is known. */
    static boolean isTouched(long word, int site) {
        return isOf(word, ThreadTable.epoch()) && has(word, Epochs.ordinal(site));
    }

    /** Whether a word is one with a set, of this epoch. */
    static boolean isOf(long word, long epoch) {
        return ((word ^ epoch) & Epochs.MASK) == SET;
    }

    /** Whether the set of such a word is known to have the site with this ordinal. */
    static boolean has(long word, int ordinal) {
        long key = key(word, ordinal);
        return MEMBERS[slot(key)] == key;
    }

    /** It has. */
    static void learn(long word, int ordinal) {
        if (ordinal != Epochs.SHARED_ORDINAL) {
            long key = key(word, ordinal);
            MEMBERS[slot(key)] = key;
        }
    }

    /** Never 0, as the bit of sets is in it. */
    private static long key(long word, int ordinal) {
        return word << 32 | ordinal;
    }

    private static int slot(long key) {
        return (int) (key * 0x9E3779B97F4A7C15L >>> 64 - INDEX_BITS);
    }
}
