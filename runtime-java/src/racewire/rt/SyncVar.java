package racewire.rt;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * A place through which threads hand over what they did: a volatile variable, a latch, a future, a task. Acts for the
 * current thread, never throws, and is cheap when there is nothing new.
 */
public class SyncVar {
    private static final AtomicReferenceFieldUpdater<SyncVar, Past> PAST =
            AtomicReferenceFieldUpdater.newUpdater(SyncVar.class, Past.class, "past");

    /** Of all who have released; null: nobody. */
    private volatile Past past;

    /** What the current thread has done is known to whoever acquires from now on. */
    public final void release() {
        if (!Order.ON) {
            return;
        }
        try {
            release(ThreadTable.current());
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
        }
    }

    /** The current thread knows what was released here. */
    public final void acquire() {
        if (!Order.ON || past == null) {
            return;
        }
        try {
            acquire(ThreadTable.current());
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
        }
    }

    final void release(ThreadState me) {
        Past mine = me.past();
        for (;;) {
            Past old = past;
            if (PAST.compareAndSet(this, old, mine.and(old))) {
                return;
            }
        }
    }

    final void acquire(ThreadState me) {
        Past known = past;
        if (known != null) {
            me.clock.learn(known);
        }
    }
}
