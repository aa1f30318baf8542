package racewire.rt;

/**
 * How the last write and the last reads of a variable are laid out in a {@code long} each, for happens-before: which
 * thread (its slot), when (its time), at which site of the field (its ordinal). 0: none yet.
 *
 * <p>The sign bit marks reads by several threads: the rest is the number of a {@link Readers}.
 */
final class Stamps {
    static final int SLOT_SHIFT = 49;
    static final int TIME_SHIFT = 12;
    static final int TIME_BITS = SLOT_SHIFT - TIME_SHIFT;

    /** Slots are 14 bits, and 0 is nobody. */
    static final int SLOTS = 1 << 14;
    static final long LAST_TIME = (1L << TIME_BITS) - 2;

    /** Thread and time. */
    static final long WHO_AND_WHEN = -1L << TIME_SHIFT;

    /** What a thread publishes until it has done something at its time: equal to no stamp, as slot 0 has none. */
    static final long NONE = LAST_TIME + 1 << TIME_SHIFT;

    static final long SHARED = 1L << 63;
    /** Below a mark's slot: its number. */
    static final int MARK_BITS = 49;

    private Stamps() { }

    static long of(int slot, long time) {
        return (long) slot << SLOT_SHIFT | time << TIME_SHIFT;
    }

    static int slot(long stamp) {
        return (int) (stamp >>> SLOT_SHIFT);
    }

    static long time(long stamp) {
        return stamp << 64 - SLOT_SHIFT >>> 64 - SLOT_SHIFT + TIME_SHIFT;
    }

    static int ordinal(long stamp) {
        return (int) stamp & (1 << TIME_SHIFT) - 1;
    }
}
