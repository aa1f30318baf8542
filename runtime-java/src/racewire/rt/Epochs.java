package racewire.rt;

/** How words and epochs are laid out in a {@code long}: see ARCHITECTURE.md, "The word". */
final class Epochs {
    /** Bits 63..32: the epoch, or the mark of an interned word. */
    static final long MASK = 0xFFFFFFFFL << 32;

    /** All site bits. A thread's epoch has bit 31 too, which no word has: ordinal 31 never matches. */
    static final long ALL_SITES = 0xFFFFFFFFL;

    /** Ordinals from here on have no bit in the word. */
    static final int OVERFLOW_ORDINAL = 31;

    /** The ordinal that several sites of a field share. */
    static final int SHARED_ORDINAL = 63;

    /** How many low bits of a hook's {@code site} hold the ordinal; the rest is the site's index in its class. */
    static final int ORDINAL_BITS = 6;

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

    /**
     * One number for an access of an interned word, or 0 if it does not fit into one. The state belongs to one
     * field and the ordinal to one site of it, so nothing else has this number.
     */
    static long accessKey(long word, int epochId, int what, int ordinal) {
        boolean fits = (int) word >= 0 && epochId >>> 25 == 0 && ordinal != SHARED_ORDINAL;
        return fits ? word << 33 | (long) epochId << 8 | what << ORDINAL_BITS | ordinal : 0;
    }

    /** {@link #accessKey} with {@link #ALWAYS}; there are fewer than 2^31 states. */
    static long alwaysKey(long word, int ordinal) {
        return word << 33 | (ALWAYS << ORDINAL_BITS | ordinal);
    }

    /** The word of a variable that only {@code ordinal}'s site touched, in this epoch. */
    static long first(long epoch, int ordinal) {
        return epoch & MASK | 1L << ordinal;
    }
}
