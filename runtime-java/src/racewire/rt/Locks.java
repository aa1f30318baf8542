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

    /** Before a call that holds the lock of {@code o} while it lasts, if calls of its class do. */
    public static void enter(Object o) {
        if (Order.ON && o != null && Containers.kind(o) == Containers.Kind.LOCKED) {
            Sync.locked(Views.owner(o), false);
        }
    }

    /** After it. */
    public static void leave(Object o) {
        if (Order.ON && o != null && Containers.kind(o) == Containers.Kind.LOCKED) {
            Sync.unlocking(Views.owner(o), false);
        }
    }

    /** What a lock's last writer did is known to an optimistic reader, which holds nothing. */
    public static void peek(Object lock) {
        if (Order.ON && lock != null) {
            Sync.locked(lock, true);
            Sync.unlocking(lock, true);
        }
    }
}
