package racewire.rt;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * What {@link Hooks} does around lock events. For locks that are objects with methods of their own, the hook
 * around the call and a hook inside an overriding method may both see the same event; the outer one therefore
 * counts the holds before the call and adds or removes one only if nobody inside has.
 */
final class LockHooks {
    /** Instead of a number of holds: the hook stands beside the event itself and always counts. */
    static final int ALWAYS = -1;

    private LockHooks() { }

    /** Before a monitor is entered: its hash must be taken now. */
    static void before(Object monitor) {
        try {
            ThreadState me = ThreadTable.current();
            me.entering(monitor);
            Inspect.Listener l = Inspect.listener;
            if (l != null) {
                l.beforeLock(monitor);
            }
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
        }
    }

    /** A monitor was entered; it is the one {@link #before} was told of, unless that hook failed. */
    static void entered(Object monitor) {
        try {
            ThreadState me = ThreadTable.current();
            me.entered(monitor);
            if (Order.LOCKS) {
                me.nesting.tell();
            }
            if (Counts.ON) {
                Counts.LOCKS.increment();
            }
            Inspect.Listener l = Inspect.listener;
            if (l != null) {
                l.afterLock(monitor);
            }
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
        }
    }

    /** A monitor, or a lock by its identity, is about to be released. */
    static void leaving(Object lock, boolean shared) {
        try {
            Inspect.Listener l = Inspect.listener;
            if (l != null) {
                l.beforeUnlock(lock);
            }
            ThreadState me = ThreadTable.current();
            if (Order.ON) {
                me.leave(lock, shared);
            } else if (Sections.ON) {
                me.endSection(lock, shared);
            }
            me.remove(lock, shared);
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
        }
    }

    static void left(Object lock) {
        try {
            Inspect.Listener l = Inspect.listener;
            if (l != null) {
                l.afterUnlock(lock);
            }
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
        }
    }

    private static void taken(ThreadState me, Object lock, int hash, boolean shared) {
        me.waitingFor = null;
        me.push(lock, hash, shared);
        if (Counts.ON) {
            Counts.LOCKS.increment();
        }
        Inspect.Listener l = Inspect.listener;
        if (l != null) {
            l.afterLock(lock);
        }
    }

    /** Before a lock's method is called; how often the thread holds it. */
    static int before(Lock lock) {
        if (!Hooks.ON || lock == null) {
            return ALWAYS;
        }
        try {
            Object identity = LockIdentity.of(lock);
            ThreadState me = ThreadTable.current();
            me.waitingFor = lock;
            Inspect.Listener l = Inspect.listener;
            if (l != null) {
                l.beforeLock(identity);
            }
            return LockIdentity.isPlain(lock) ? ALWAYS : me.count(identity, LockIdentity.isShared(lock));
        } catch (Throwable keptQuiet) {
            return ALWAYS;
        }
    }

    /** The method has taken the lock. */
    static void taken(Lock lock, int holdsBefore) {
        if (!Hooks.ON || lock == null) {
            return;
        }
        try {
            Object identity = LockIdentity.of(lock);
            boolean shared = LockIdentity.isShared(lock);
            ThreadState me = ThreadTable.current();
            if (holdsBefore == ALWAYS || me.count(identity, shared) == holdsBefore) {
                taken(me, identity, System.identityHashCode(identity), shared);
            }
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
        }
    }

    /** The lock that was just taken was waited for. */
    static void waited(Lock lock) {
        if (!Order.LOCKS || lock == null) {
            return;
        }
        try {
            ThreadTable.current().nesting.tell();
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
        }
    }

    static void notTaken(Lock lock) {
        waiting(null);
    }

    /** Before a lock is released; how often the thread holds it. */
    static int beforeUnlock(Lock lock) {
        if (!Hooks.ON || lock == null) {
            return ALWAYS;
        }
        try {
            Object identity = LockIdentity.of(lock);
            Inspect.Listener l = Inspect.listener;
            if (l != null) {
                l.beforeUnlock(identity);
            }
            // Now, not when it is released: the next holder may be quicker than this thread.
            if (Order.ON) {
                ThreadTable.current().leave(identity, LockIdentity.isShared(lock));
            } else if (Sections.ON) {
                ThreadTable.current().endSection(identity, LockIdentity.isShared(lock));
            }
            return LockIdentity.isPlain(lock) ? ALWAYS
                    : ThreadTable.current().count(identity, LockIdentity.isShared(lock));
        } catch (Throwable keptQuiet) {
            return ALWAYS;
        }
    }

    /** The lock is released, or about to be. */
    static void released(Lock lock, int holdsBefore) {
        if (!Hooks.ON || lock == null) {
            return;
        }
        try {
            Object identity = LockIdentity.of(lock);
            boolean shared = LockIdentity.isShared(lock);
            ThreadState me = ThreadTable.current();
            if (holdsBefore == ALWAYS || me.count(identity, shared) == holdsBefore) {
                me.remove(identity, shared);
            }
            left(identity);
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
        }
    }

    static Object identity(Condition condition) {
        try {
            return Hooks.ON ? LockIdentity.of(condition) : null;
        } catch (Throwable keptQuiet) {
            return null;
        }
    }

    /** Before a wait, which gives up every hold of its lock (JLS 17.2.1); how many. */
    static int release(Object lock, boolean shared, Object waitingFor) {
        if (!Hooks.ON || waitingFor == null) {
            return 0;
        }
        try {
            ThreadState me = ThreadTable.current();
            me.waitingFor = waitingFor;
            int holds = 0;
            while (lock != null) {
                if (Order.ON) {
                    me.leave(lock, shared);
                } else if (Sections.ON) {
                    me.endSection(lock, shared);
                }
                if (!me.remove(lock, shared)) {
                    break;
                }
                holds++;
            }
            Inspect.Listener l = Inspect.listener;
            if (l != null && holds > 0) {
                l.beforeUnlock(lock);
                l.afterUnlock(lock);
            }
            return holds;
        } catch (Throwable keptQuiet) {
            return 0;
        }
    }

    /** The wait is over, one way or the other: the lock is held again, as often as before. */
    static void regain(Object lock, boolean shared, int holds) {
        if (!Hooks.ON) {
            return;
        }
        try {
            ThreadState me = ThreadTable.current();
            me.waitingFor = null;
            if (holds > 0) {
                int hash = HeldLocks.hash(lock);
                for (int i = 0; i < holds; i++) {
                    me.push(lock, hash, shared);
                }
                if (Order.ON) {
                    // Woken by somebody who held it.
                    me.relyOnLocks();
                    if (Trace.ON) {
                        Trace.observe(me.id());
                    }
                }
                Inspect.Listener l = Inspect.listener;
                if (l != null) {
                    l.beforeLock(lock);
                    l.afterLock(lock);
                }
            }
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
        }
    }

    /** The current thread waits for {@code something} (or, null, no more) without a lock changing hands. */
    static void waiting(Object something) {
        if (!Hooks.ON) {
            return;
        }
        try {
            ThreadTable.current().waitingFor = something;
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
        }
    }
}
