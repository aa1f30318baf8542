package racewire.rt;

/** How words and epochs are laid out in a {@code long}: see ARCHITECTURE.md, "The word". */
final class Epochs {
    /** Bits 63..31: the epoch, the mark of an interned word, and that of a word with a set instead of bits. */
    static final long MASK = -1L << 31;

    /** All site bits. */
    static final long ALL_SITES = ~MASK;

    /** Ordinals from here on have no bit in the word. */
    static final int OVERFLOW_ORDINAL = 31;

    /** The ordinal that several sites of a field share. */
    static final int SHARED_ORDINAL = 4095;

    private static final int ORDINAL_BITS = 6;
    private static final int OVERFLOW_BITS = 12;

    /** Equals no word: bit 62 is set in none. */
    static final long NONE = 1L << 62;

    private Epochs() { }

    static long value(int id) {
        return (long) id << 32 | ALL_SITES;
    }

    static int id(long value) {
        return (int) (value >>> 32);
    }

    /** For which locks an {@link #accessKey} stands: those of its epoch; any, with the owner's own; any at all. */
    static final int EPOCH = 0;
    static final int OWNER_HELD = 1;
    static final int ALWAYS = 2;

    /** The ordinal in what a hook is given: see crate {@code model}, {@code HookSite}. */
    static int ordinal(int site) {
        return site >= 0 ? site & (1 << ORDINAL_BITS) - 1 : ~site & (1 << OVERFLOW_BITS) - 1;
    }

    /** The site's index in its class. */
    static int index(int site) {
        return site >= 0 ? site >>> ORDINAL_BITS : ~site >>> OVERFLOW_BITS;
    }

    /**
     * One number for an access of an interned word, or 0 if it does not fit into one. The state belongs to one
     * field and the ordinal to one site of it, so nothing else has this number.
     */
    static long accessKey(long word, int epochId, int what, int ordinal) {
        // 31 bits for the state (there are no more of them), 19 for the epoch.
        boolean fits = epochId >>> 19 == 0 && ordinal != SHARED_ORDINAL;
        return fits ? word << 33 | (long) epochId << 14 | what << OVERFLOW_BITS | ordinal : 0;
    }

    /** What is in an {@link #accessKey} besides the locks. */
    static long key(long word, int ordinal) {
        return word << 33 | ordinal;
    }

    /** The locks in it. */
    static final long ALWAYS_LOCKS = ALWAYS << OVERFLOW_BITS;
    static final long OWN_LOCK = OWNER_HELD << OVERFLOW_BITS;

    /** Whether these are the locks of an epoch, as far as they fit. */
    static boolean areOf(long locks, long epoch) {
        return locks >>> 33 == 0 && locks == (long) id(epoch) << 14;
    }

    /** {@link #accessKey} with {@link #ALWAYS}; the shared ordinal is never found, as nothing is stored for it. */
    static long alwaysKey(long word, int ordinal) {
        return word << 33 | (ALWAYS << OVERFLOW_BITS | ordinal);
    }

    /** Whether a word says that the site with this ordinal touched the variable in this epoch, as far as is known. */
    static boolean isTouched(long word, long epoch, int ordinal) {
        return ordinal < OVERFLOW_ORDINAL ? ((word ^ epoch) & (MASK | 1L << ordinal)) == 0
                : SiteSets.isOf(word, epoch) && SiteSets.has(word, ordinal);
    }

    /**
     * The word of a variable that only {@code site} touched, by its ordinal, in this epoch. With happens-before what is
     * published is the word itself, see {@link LockSets#word}. 0 if the site has no bit.
     */
    static long first(long epoch, int site) {
        return Order.ON ? epoch : site < 0 ? 0 : epoch & MASK | 1L << site;
    }
}
