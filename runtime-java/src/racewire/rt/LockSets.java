package racewire.rt;

/**
 * The locks that are held at an access, in an int, for happens-before: the owner's own monitor and at most one other
 * lock, which is what nearly all code holds and needs no table; more than that is an epoch of the native library (its
 * id). The layout is known to crate {@code racewire-runtime}, module {@code locks_code}.
 */
final class LockSets {
    /** Nobody knows; or the access is atomic, and locks say nothing of it. */
    static final int UNKNOWN = 0;
    /** No lock is held. */
    static final int NONE = 1 << 30;

    private static final int EPOCH = 1 << 31;
    private static final int OWNER = 1 << 29;
    private static final int OWNER_SHARED = 1 << 28;
    private static final int OTHER_SHARED = 1 << 27;
    private static final int OTHER = OTHER_SHARED - 1;

    private LockSets() { }

    /** Those that the thread holds at an access to {@code owner}; {@link #UNKNOWN} if they are more than fit in. */
    static int few(HeldLocks me, Object owner) {
        int set = NONE;
        for (int at = me.depth(); at > 0 && set != UNKNOWN; at--) {
            HeldLock h = me.level(at);
            if (!h.again) {
                set = h.lock == owner ? withOwner(set, h.shared) : with(set, me.code(h));
            }
        }
        return set;
    }

    /** More locks than fit in. */
    static int ofEpoch(long epoch) {
        return epoch == 0 ? UNKNOWN : EPOCH | Epochs.id(epoch);
    }

    static int withOwner(int set, boolean shared) {
        return set | (shared ? OWNER_SHARED : OWNER);
    }

    /** {@code code}: see {@link HeldLock#code}. {@link #UNKNOWN} if there is no room for it. */
    static int with(int set, int code) {
        int lock = code >>> 1;
        int mode = (code & 1) != 0 ? OTHER_SHARED : 0;
        if (lock > OTHER) {
            return UNKNOWN;
        }
        if ((set & OTHER) == 0) {
            return set | lock | mode;
        }
        // Held in both modes it is held exclusively.
        return (set & OTHER) != lock ? UNKNOWN : mode == 0 ? set & ~OTHER_SHARED : set;
    }

    /** The word of a variable that has only been accessed with these locks. */
    static long word(int set) {
        return (long) set << 32 | set;
    }

    static boolean isEpoch(int set) {
        return set < 0;
    }

    /** Whether a lock protects both accesses: one that is held, exclusively for a write. For sets that are no epochs. */
    static boolean share(int a, boolean aWrites, int b, boolean bWrites) {
        int both = protecting(a, aWrites) & protecting(b, bWrites);
        return (both & OWNER) != 0
                || (both & OTHER) != 0 && other(a, aWrites) == other(b, bWrites);
    }

    private static int protecting(int set, boolean write) {
        int owner = (set & OWNER) != 0 || !write && (set & OWNER_SHARED) != 0 ? OWNER : 0;
        return owner | other(set, write);
    }

    private static int other(int set, boolean write) {
        return write && (set & OTHER_SHARED) != 0 ? 0 : set & OTHER;
    }
}
