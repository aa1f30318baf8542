package racewire.rt;

/** Locks that models declare: any object may be one. */
public final class Locks {
    private Locks() { }

    public static void lock(Object lock) {
        Sync.locked(lock, false);
    }

    public static void unlock(Object lock) {
        Sync.unlocking(lock, false);
    }

    public static void lockShared(Object lock) {
        Sync.locked(lock, true);
    }

    public static void unlockShared(Object lock) {
        Sync.unlocking(lock, true);
    }

    /**
     * Before a call that holds the lock of {@code o} while it lasts, if calls of its class do. The lock itself is out of
     * sight: whoever has it later learns of this call after its own.
     */
    public static void enter(Object o) {
        Sync.release(Containers.behind(o, Containers.Kind.LOCKED));
    }

    /** After it. */
    public static void leave(Object o) {
        Sync.acquire(Containers.behind(o, Containers.Kind.LOCKED));
    }
}
