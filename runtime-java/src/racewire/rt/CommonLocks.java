package racewire.rt;

/**
 * Whether two accesses have a lock in common. An access is its {@link LockSets locks} and its kind in a number. Of many
 * locks the native library knows; a thread remembers what it was told.
 */
final class CommonLocks {
    private Memo told;

    static long of(int locks, boolean write) {
        return (long) locks << 1 | (write ? 1 : 0);
    }

    static int locks(long access) {
        return (int) (access >> 1);
    }

    static boolean isWrite(long access) {
        return (access & 1) != 0;
    }

    /** Whether there is an access among these that {@link #protect} says so of. */
    boolean anyProtects(Encounter.Accesses earlier, long later) {
        for (int i = 0; i < earlier.count; i++) {
            if (protect(earlier.locks(i), later)) {
                return true;
            }
        }
        return false;
    }

    /** Whether some lock protects both accesses; also if that cannot be known. */
    boolean protect(long earlier, long later) {
        int a = locks(earlier);
        int b = locks(later);
        if (a == LockSets.UNKNOWN || b == LockSets.UNKNOWN) {
            return true;
        }
        if (!LockSets.isEpoch(a) && !LockSets.isEpoch(b)) {
            return LockSets.share(a, isWrite(earlier), b, isWrite(later));
        }
        if (told == null) {
            told = new Memo(8, 4096);
        }
        long known = told.get(earlier, later);
        if (known == Memo.MISS) {
            if (Counts.ON) {
                Counts.NATIVE.increment();
            }
            known = Native.shareLock(a, isWrite(earlier), b, isWrite(later)) ? 1 : 0;
            told.put(earlier, later, known);
        }
        return known != 0;
    }
}
