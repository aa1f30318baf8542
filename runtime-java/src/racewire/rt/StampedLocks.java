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

    /** After an attempt to make a read lock of {@code stamp}. */
    public static void toRead(Object lock, long stamp, long result) {
        if (result != 0 && !isRead(stamp)) {
            Sync.locked(lock, true);
        }
    }

    /** The same for a write lock. */
    public static void toWrite(Object lock, long stamp, long result) {
        if (result != 0 && !isWrite(stamp)) {
            if (isRead(stamp)) {
                Sync.unlocking(lock, true);
            }
            Sync.locked(lock, false);
        }
    }
}
