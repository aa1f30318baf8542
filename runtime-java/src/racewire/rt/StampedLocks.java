package racewire.rt;

/** The modes of a {@code StampedLock}, which its stamps tell. */
public final class StampedLocks {
    /** In a stamp: the mode, and the mark of the write mode, as of the JDK since 8. */
    private static final long MODE = 255;
    private static final long WRITE = 128;

    private StampedLocks() { }

    private static boolean isWrite(long stamp) {
        return (stamp & MODE) == WRITE;
    }

    private static boolean isRead(long stamp) {
        return (stamp & MODE) != 0 && !isWrite(stamp);
    }

    /** Before a lock is given up, whichever it is. */
    public static void unlock(Object lock, long stamp) {
        if ((stamp & MODE) != 0) {
            if (isWrite(stamp)) {
                Sync.release(lock);
            }
            Sync.unlocking(lock, !isWrite(stamp));
        }
    }

    /** Before a write lock becomes a read lock. */
    public static void leaving(Object lock, long stamp) {
        if (isWrite(stamp)) {
            Sync.release(lock);
            Sync.unlocking(lock, false);
        }
    }

    /** After a stamp was given out for an optimistic read: 0 if somebody writes, which is no less good to ask about. */
    public static void optimistic(Object lock, long stamp) {
        if (Order.ON && lock != null) {
            try {
                Optimistic.open(lock, stamp);
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }

    /** After {@code validate}. */
    public static void validated(Object lock, long stamp, int valid) {
        if (Order.ON && lock != null) {
            try {
                Optimistic.asked(lock, stamp, valid != 0);
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }

    /** After an attempt to make something else of {@code stamp}: one of an optimistic read was valid if there was a way. */
    private static void converted(Object lock, long stamp, long result) {
        if ((stamp & MODE) == 0) {
            validated(lock, stamp, result == 0 ? 0 : 1);
        }
    }

    /** After an attempt to make an optimistic read of {@code stamp}. */
    public static void toOptimistic(Object lock, long stamp, long result) {
        converted(lock, stamp, result);
        if (result != 0) {
            optimistic(lock, result);
        }
    }

    /** After an attempt to make a read lock of {@code stamp}. */
    public static void toRead(Object lock, long stamp, long result) {
        converted(lock, stamp, result);
        if (result != 0 && !isRead(stamp)) {
            Sync.locked(lock, true);
        }
    }

    /** The same for a write lock. */
    public static void toWrite(Object lock, long stamp, long result) {
        converted(lock, stamp, result);
        if (result != 0 && !isWrite(stamp)) {
            if (isRead(stamp)) {
                Sync.unlocking(lock, true);
            }
            Sync.locked(lock, false);
        }
    }
}
