package racewire.rt;

/**
 * Objects whose methods somebody else calls under a lock of its own, in code that is not woven: formatters of log handlers.
 * Whether the lock is held is asked of the JVM at each call, since not every class of handlers takes it.
 */
public final class Guards {
    private Guards() { }

    /** Before {@code o} is given to {@code owner}. */
    public static void given(Object o, Object owner) {
        Sync.partOf(o, owner);
        Sync.release(o);
    }

    /** Called by woven classes, first thing. */
    public static void begin(Object o) {
        Object owner = heldOwner(o);
        Sync.acquire(Order.ON && SyncTable.peek(o) != null ? o : null);
        if (owner != null) {
            Sync.locked(owner, false);
        }
    }

    /** Last thing, whatever happens. */
    public static void end(Object o) {
        Object owner = heldOwner(o);
        if (owner != null) {
            Sync.unlocking(owner, false);
        }
    }

    /** Null: the lock of whoever has the object is not held. */
    private static Object heldOwner(Object o) {
        if (!Order.ON) {
            return null;
        }
        try {
            Object owner = Sync.whole(o);
            return owner != o && Thread.holdsLock(owner) ? owner : null;
        } catch (Throwable keptQuiet) {
            return null;
        }
    }
}
