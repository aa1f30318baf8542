package racewire.rt;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;

/**
 * A place through which threads hand over what they did: a volatile variable, a latch, a future, a task. Acts for the
 * current thread, never throws, and is cheap when there is nothing new.
 */
public class SyncVar {
    private static final AtomicReferenceFieldUpdater<SyncVar, Past> PAST =
            AtomicReferenceFieldUpdater.newUpdater(SyncVar.class, Past.class, "past");

    private static final AtomicReferenceFieldUpdater<SyncVar, Attempt> ATTEMPTS =
            AtomicReferenceFieldUpdater.newUpdater(SyncVar.class, Attempt.class, "attempts");

    /** Of all who have released; null: nobody. */
    private volatile Past past;
    /** Releases under way, which may come to nothing: until that is known they count. */
    private volatile Attempt attempts;

    /** It is a volatile or atomic variable: who reads it has looked at it, see {@link Doors}. */
    private boolean isFlag;
    /** The stamp of its last write. This and the next are for those who hold a lock when they use it. */
    private long written;
    /** Who looked at it last, and when; 0: nobody since it was written. */
    private long looked;

    /** It is a volatile or atomic variable, which is about to be used. */
    final SyncVar asFlag() {
        if (Order.HYBRID && !isFlag) {
            isFlag = true;
        }
        return this;
    }

    /** The thread, which holds locks, has read it. */
    final void look(ThreadState me) {
        long now = me.clock.stamp();
        if (looked == now) {
            return;
        }
        if (Trace.ON) {
            synchronized (Trace.turn(this)) {
                Trace.flag(me, this, false);
                look(me, now);
            }
        } else {
            look(me, now);
        }
    }

    private void look(ThreadState me, long now) {
        looked = now;
        Looks.look(me, this, written);
    }

    /** The thread writes it: what it did before, for others to learn of. */
    private Past write(ThreadState me) {
        if (Trace.ON) {
            synchronized (Trace.turn(this)) {
                Trace.flag(me, this, true);
                return write(me, me.past());
            }
        }
        return write(me, me.past());
    }

    private Past write(ThreadState me, Past mine) {
        overwrite(me, Stamps.of(mine.slot, mine.time));
        return mine;
    }

    /** A compare-and-set has written it. */
    private void hasWritten(ThreadState me) {
        me.clock.mark();
        if (Trace.ON) {
            synchronized (Trace.turn(this)) {
                Trace.flag(me, this, true);
                overwrite(me, me.clock.stamp());
            }
        } else {
            overwrite(me, me.clock.stamp());
        }
    }

    private void overwrite(ThreadState me, long stamp) {
        if (looked != 0 && me.depth > 0) {
            Doors.close(me, this, written, stamp);
        }
        written = stamp;
        looked = 0;
    }

    /** A release that a compare-and-set may make, or not. */
    static final class Attempt {
        final SyncVar variable;
        private final Past mine;
        private final Attempt next;

        private Attempt(SyncVar variable, Past mine, Attempt next) {
            this.variable = variable;
            this.mine = mine;
            this.next = next;
        }

        /** The list without that one. */
        private static Attempt without(Attempt list, Past mine) {
            if (list == null || list.mine == mine) {
                return list == null ? null : list.next;
            }
            return new Attempt(list.variable, list.mine, without(list.next, mine));
        }
    }

    /** Before a call that releases if it succeeds. */
    final Attempt attempt(ThreadState me) {
        Past mine = me.past();
        for (;;) {
            Attempt old = attempts;
            Attempt made = new Attempt(this, mine, old);
            if (ATTEMPTS.compareAndSet(this, old, made)) {
                return made;
            }
        }
    }

    /** After it. */
    final void settle(Attempt attempt, boolean succeeded) {
        if (succeeded) {
            add(attempt.mine);
            ThreadState me = isFlag ? ThreadTable.current() : null;
            if (me != null && !me.busy) {
                hasWritten(me);
            }
        }
        for (;;) {
            Attempt old = attempts;
            if (ATTEMPTS.compareAndSet(this, old, Attempt.without(old, attempt.mine))) {
                return;
            }
        }
    }

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
        if (!Order.ON || past == null && attempts == null) {
            return;
        }
        try {
            acquire(ThreadTable.current());
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
        }
    }

    /** Whether what that thread did at that time was released here. */
    final boolean knows(int slot, long time) {
        Past known = past;
        return known != null && known.knows(slot, time);
    }

    /** The number in the trace of what was released here; 0: nothing was. */
    final long moment() {
        Past known = past;
        return known == null ? 0 : known.moment();
    }

    final void release(ThreadState me) {
        add(isFlag && !me.busy ? write(me) : me.past());
    }

    private void add(Past mine) {
        for (;;) {
            Past old = past;
            if (PAST.compareAndSet(this, old, mine.and(old))) {
                return;
            }
        }
    }

    final void acquire(ThreadState me) {
        // Attempts first: one that is settled meanwhile is in the past by then.
        for (Attempt a = attempts; a != null; a = a.next) {
            me.learn(a.mine);
        }
        Past known = past;
        if (known != null) {
            me.learn(known);
        }
    }
}
