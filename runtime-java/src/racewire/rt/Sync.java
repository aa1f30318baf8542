package racewire.rt;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Happens-before through objects of the JDK, as the models declare it (see {@code docs/models.md}): called by woven
 * classes around calls of such objects. Everything returns at once unless happens-before is looked at.
 */
public final class Sync {
    private Sync() { }

    /** What the current thread has done is known to whoever acquires {@code o} from now on. */
    public static void release(Object o) {
        if (Order.ON && o != null) {
            OutOfLine.release(o);
        }
    }

    /** The current thread knows what was released to {@code o}. */
    public static void acquire(Object o) {
        if (Order.ON && o != null) {
            OutOfLine.acquire(o);
        }
    }

    /** For what goes through {@code o} itself. */
    static SyncVar var(ThreadState me, Object o) {
        SyncVar var = me.sync(o).var();
        return Order.HYBRID && isAtomic(o) ? var.asFlag() : var;
    }

    static boolean isAtomic(Object o) {
        Class<?> type = o.getClass();
        return type == AtomicBoolean.class || type == AtomicInteger.class || type == AtomicLong.class
                || type == AtomicReference.class;
    }

    /** {@code element} goes into {@code container}: who finds it there knows what was done before. */
    public static void put(Object container, Object element) {
        if (Order.ON && container != null && element != null) {
            try {
                ThreadState me = ThreadTable.current();
                me.sync(container).element(element, true).release(me);
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }

    /** {@code element} was found in {@code container}. */
    public static void take(Object container, Object element) {
        if (Order.ON && container != null && element != null) {
            try {
                ThreadState me = ThreadTable.current();
                SyncVar put = me.sync(container).element(element, false);
                if (put != null) {
                    put.acquire(me);
                }
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }

    /** {@code part} is an end of {@code whole}, or another name for it. */
    static void partOf(Object part, Object whole) {
        if (Order.ON && part != null && whole != null && part != whole) {
            try {
                ThreadState me = ThreadTable.current();
                me.sync(part).owner = me.sync(whole);
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }

    /** What {@code o} was said to be part of; else itself. */
    static Object whole(Object o) {
        SyncRef known = !Order.ON || o == null ? null : SyncTable.peek(o);
        Object whole = known == null || known.owner == null ? null : known.owner.get();
        return whole == null ? o : whole;
    }

    /** After a read of a volatile field of {@code owner}, or a static one; {@code var} is null the first time. */
    public static void volatileRead(SyncVar var, Object owner, Class<?> user, String declaring, String field) {
        if (Order.ON && (Order.HYBRID || var != null)) {
            hasRead(var, owner, user, declaring, field);
        }
    }

    private static void hasRead(SyncVar var, Object owner, Class<?> user, String declaring, String field) {
        if (OutOfLine.NEVER) {
            OutOfLine.fill(999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999,
                    999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999);
        }
        try {
            ThreadState me = ThreadTable.current();
            // What was never written hands nothing over, ...
            if (var != null) {
                var.acquire(me);
            }
            // ... but may be looked at.
            if (Order.HYBRID && me.depth > 0 && !me.busy) {
                SyncVar known = var != null ? var : Volatiles.make(owner, user, declaring, field);
                if (known != null) {
                    known.look(me);
                }
            }
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
        }
    }

    /** Before a write. */
    public static void volatileWrite(SyncVar var, Object owner, Class<?> user, String declaring, String field) {
        if (Order.ON) {
            writes(var, owner, user, declaring, field);
        }
    }

    private static void writes(SyncVar var, Object owner, Class<?> user, String declaring, String field) {
        if (OutOfLine.NEVER) {
            OutOfLine.fill(999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999,
                    999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999);
        }
        SyncVar known = var != null ? var : Volatiles.make(owner, user, declaring, field);
        if (known != null) {
            known.release();
        }
    }

    /** For what goes through {@code o}. */
    public static SyncVar of(Object o) {
        return SyncTable.of(o, System.identityHashCode(o)).var();
    }

    /** A lock of any kind was taken. */
    public static void locked(Object lock, boolean shared) {
        if (Hooks.ON && lock != null) {
            try {
                ThreadTable.current().push(lock, System.identityHashCode(lock), shared);
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }

    /** It is about to be released. */
    public static void unlocking(Object lock, boolean shared) {
        if (Hooks.ON && lock != null) {
            LockHooks.leaving(lock, shared);
        }
    }
}
