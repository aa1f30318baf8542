package racewire.rt;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Lock;

/** A thread that waits for a lock while it holds others, as another thread sees it. */
final class Waiter {
    final ThreadState state;
    final Thread thread;
    /** The lock it waits for, by its identity. */
    final Object wanted;
    private final boolean wantedShared;
    /** Around the wait there is a hook. */
    private final boolean inHook;
    private final int moves;
    private final List<HeldLock> held = new ArrayList<>();

    private Waiter(ThreadState state, Thread thread, Object wanted, boolean wantedShared, boolean inHook) {
        this.state = state;
        this.thread = thread;
        this.wanted = wanted;
        this.wantedShared = wantedShared;
        this.inHook = inHook;
        this.moves = state.moves;
        for (HeldLock h = state.top(); h != null && h.lock != null; h = h.below) {
            held.add(h);
        }
    }

    /** null if the thread holds no lock, or waits for none, or does not hold still. */
    static Waiter of(ThreadState state) {
        try {
            return seen(state);
        } catch (IndexOutOfBoundsException | NullPointerException moved) {
            // Its stack of locks was growing: what was read of it are parts of different moments.
            return null;
        }
    }

    private static Waiter seen(ThreadState state) {
        Object waitingFor = state.waitingFor;
        Object monitor = waitingFor == null ? state.entering() : null;
        Thread thread = waitingFor == null && monitor == null ? null : state.get();
        if (thread == null || state.top().lock == null) {
            return null;
        }
        Thread.State now = thread.getState();
        if (waitingFor instanceof Lock) {
            // With a time limit it would not wait for ever.
            Lock lock = (Lock) waitingFor;
            return now == Thread.State.WAITING || now == Thread.State.BLOCKED
                    ? new Waiter(state, thread, LockIdentity.of(lock), LockIdentity.isShared(lock), true) : null;
        }
        // In wait(): blocked once it was notified, and has to get its monitor back.
        Object blockedAt = monitor != null ? monitor : waitingFor;
        return now == Thread.State.BLOCKED ? new Waiter(state, thread, blockedAt, false, monitor == null) : null;
    }

    /** Whether it has not moved since {@code before}. */
    boolean isStillAs(Waiter before) {
        return state == before.state && wanted == before.wanted && moves == before.moves;
    }

    /** The hold of {@code other} that keeps this thread waiting; null if there is none. */
    HeldLock keptBy(Waiter other) {
        for (HeldLock h : other.held) {
            // The locks of the JDK let their holder in again, but no reader becomes a writer.
            if (h.lock == wanted && !(wantedShared && h.shared) && (other != this || h.shared)) {
                return h;
            }
        }
        return null;
    }

    /** To the library: it waits, and holds {@code needed}. */
    void tell(HeldLock needed) {
        List<String> all = new ArrayList<>();
        for (HeldLock h : held) {
            all.add(0, name(h.lock, h.shared));
        }
        String[] takenAt = needed.taken == null ? Stacks.NONE : Stacks.text(needed.taken.getStackTrace());
        StackTraceElement[] stack = thread.getStackTrace();
        Native.waits(state.id(), name(wanted, wantedShared), name(needed.lock, needed.shared), takenAt,
                all.toArray(Stacks.NONE), inHook ? Stacks.outsideHook(stack) : Stacks.text(stack));
    }

    private static String name(Object lock, boolean shared) {
        return LockIdentity.describe(lock, System.identityHashCode(lock)) + (shared ? " (read)" : "");
    }
}
