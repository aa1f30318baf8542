package racewire.rt;

import java.util.concurrent.locks.Lock;

/** What the runtime knows of locks, for tests and researchers. A woven program does not need it. */
public final class Inspect {
    /** Told of each lock event, in the thread that makes it. A monitor is the object; a lock is its identity. */
    public interface Listener {
        void beforeLock(Object lock);

        void afterLock(Object lock);

        void beforeUnlock(Object lock);

        void afterUnlock(Object lock);
    }

    /**
     * Read by the lock hooks; null, as a rule. Not volatile, lest what stands around it is loaded again four times for each
     * lock: the lock operation itself makes every thread look anew.
     */
    static Listener listener;

    private Inspect() { }

    /** Whether the native library was loaded and works. */
    public static boolean isMonitoring() {
        return Hooks.ON && !Monitoring.stopped;
    }

    /** null for none. */
    public static void setListener(Listener newListener) {
        listener = newListener;
    }

    /** Locks the current thread holds, the latest last, repeated where held again; read locks end in " (read)". */
    public static String[] heldLocks() {
        if (!Hooks.ON) {
            return Stacks.NONE;
        }
        ThreadState me = ThreadTable.current();
        int n = 0;
        for (HeldLock h = me.top(); h.lock != null; h = h.below) {
            n++;
        }
        String[] held = new String[n];
        for (HeldLock h = me.top(); h.lock != null; h = h.below) {
            held[--n] = LockIdentity.describe(h.lock, h.hash) + (h.shared ? " (read)" : "");
        }
        return held;
    }

    /** The lock, condition or thread that {@code thread} waits for at this moment; null if none. */
    public static Object waitingFor(Thread thread) {
        ThreadState state = Hooks.ON ? ThreadTable.peek(thread) : null;
        if (state == null) {
            return null;
        }
        Object waitingFor = state.waitingFor;
        return waitingFor != null ? waitingFor : state.entering();
    }

    /** The object by which the runtime knows {@code lock}. */
    public static Object identity(Lock lock) {
        return Hooks.ON ? LockIdentity.of(lock) : lock;
    }
}
