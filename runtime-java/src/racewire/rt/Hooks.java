package racewire.rt;

import java.util.Date;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * What woven classes call. Ground rules, for everything in this package:
 * <ul>
 * <li>no program code: no {@code toString}, {@code hashCode}, {@code equals}, {@code getId} or any other method of
 *     the program's objects that it could have overridden, except the very call that a hook replaces;
 * <li>no program locks: the runtime synchronizes on objects of its own only, and never while it calls out
 *     (but see {@link Locks#enter});
 * <li>no exceptions: a hook that fails keeps quiet; a replaced call throws what the call itself throws;
 * <li>nothing on stdout, and at most one line on stderr for each trouble;
 * <li>nothing on the fast path: no allocation, no ThreadLocal, no native call, no volatile access.
 * </ul>
 */
public final class Hooks {
    /** Whether this process is monitored: a constant to the JIT, so that hooks vanish when it is not. */
    static final boolean ON = Monitoring.start();

    private Hooks() { }

    // ---- accesses

    // These are inlined into every access of the program: HotSpot takes methods of up to 35 bytes anywhere, and 8,000
    // bytes in all into one method (MaxInlineSize, DesiredMethodLimit).

    /**
     * Whether an access may change the state of its variable: not if the word has this epoch and this site, nor if
     * this thread knows better. {@code owner} is null for a static field.
     */
    public static boolean changed(long word, int site, Object owner) {
        // A shift takes the low 6 bits of its distance (JLS 15.19): the site's ordinal.
        return ((word ^ ThreadTable.epoch()) & (Epochs.MASK | 1L << site)) != 0
                && ThreadTable.mayChange(word, site, owner);
    }

    /** The same for a site of a field with more sites than bits. */
    public static boolean changedOverflow(long word, int site, Object owner) {
        return !SiteSets.isTouched(word, site) && ThreadTable.mayChange(word, site, owner);
    }

    /**
     * The same where happens-before is looked at, for a write: not if the variable's last write is this thread's of this
     * very moment, at which no other locks were held. The order of the parameters keeps it within 35 bytes.
     */
    public static boolean changed(int site, Object owner, long word, long stamp) {
        return Order.ON ? ThreadTable.isElsewhen(stamp) : changed(word, site, owner);
    }

    public static boolean changedOverflow(int site, Object owner, long word, long stamp) {
        return Order.ON ? ThreadTable.isElsewhen(stamp) : changedOverflow(word, site, owner);
    }

    /**
     * The same for a read, which also changes nothing if the last write is this thread's of this moment: whoever races
     * with the read races with that write.
     */
    public static boolean changed(int site, Object owner, long word, long writes, long reads) {
        return Order.ON ? ThreadTable.isElsewhen(writes, reads) : changed(word, site, owner);
    }

    public static boolean changedOverflow(int site, Object owner, long word, long writes, long reads) {
        return Order.ON ? ThreadTable.isElsewhen(writes, reads) : changedOverflow(word, site, owner);
    }

    /** Whether accesses are looked at that are woven for happens-before alone, though this run does not: it has to be told. */
    private static final boolean REFUSES = ON && !Order.ON && Monitoring.looksAtAccesses();

    /** {@link #changed(int, Object, long, long)} in classes that were woven for happens-before alone. */
    public static boolean isNewWrite(long writes) {
        return Order.ON ? (writes ^ ThreadTable.stamp()) >>> Stamps.TIME_SHIFT != 0 : REFUSES;
    }

    /** {@link #changed(int, Object, long, long, long)} in such classes. */
    public static boolean isNewRead(long writes, long reads) {
        if (!Order.ON) {
            return REFUSES;
        }
        long now = ThreadTable.stamp();
        return (writes ^ now) >>> Stamps.TIME_SHIFT != 0 && (reads ^ now) >>> Stamps.TIME_SHIFT != 0
                && (reads >= 0 || !OutOfLine.hasRead(reads));
    }

    /** The stamp of a constructor's first write to a field, 0 if that has to be worked out; see {@link #first}. */
    public static long firstStamp(int site) {
        long stamp = ON && LockSteps.FIRST_STEPS ? ThreadTable.stamp() : Stamps.NONE;
        return stamp == Stamps.NONE ? 0 : stamp | Epochs.ordinal(site);
    }

    /**
     * The word after a constructor's first access to a field of an object that nobody else has seen, 0 if that has to
     * be worked out. It is stored plainly, and then comes a {@link #fence}.
     */
    public static long first(int site) {
        boolean known = ON && LockSteps.FIRST_STEPS && !(Order.ON && ThreadTable.stamp() == Stamps.NONE);
        long epoch = known ? ThreadTable.epoch() : Epochs.NONE;
        return epoch == Epochs.NONE ? 0 : Epochs.first(epoch, site);
    }

    /** Whoever sees what is stored after this, sees what was stored before. */
    public static void fence() {
        if (ON) {
            Mem.M.storeFence();
        }
    }

    /**
     * Whether a read of an element of an array has still to be looked at.
     *
     * @param user the class, null if it is not known at no cost
     */
    public static boolean elementRead(Object array, int index, int site, Class<?> user) {
        return Order.ON && array != null && !Footprints.note(array, index, site, user, false)
                && OutOfLine.element(array, index, site, user, false);
    }

    /** The same for a write. */
    public static boolean elementWrite(Object array, int index, int site, Class<?> user) {
        return Order.ON && array != null && !Footprints.note(array, index, site, user, true)
                && OutOfLine.element(array, index, site, user, true);
    }

    /**
     * The same for a loop that is left: it has read the elements up to {@code last}, each {@code stride} after the one
     * before it, from {@code last - span} on.
     *
     * @param array null if it has read none
     */
    public static boolean walkRead(Object array, int last, int span, int stride, int site, Class<?> user) {
        return Order.ON && array != null && !Footprints.note(array, last, span, stride, site, user, false)
                && OutOfLine.walk(array, last, span, stride, site, user, false);
    }

    /** The same for writes. */
    public static boolean walkWrite(Object array, int last, int span, int stride, int site, Class<?> user) {
        return Order.ON && array != null && !Footprints.note(array, last, span, stride, site, user, true)
                && OutOfLine.walk(array, last, span, stride, site, user, true);
    }

    /**
     * The access that {@link #changed} was asked about, by a class; {@code owner} is null for a static field. True if the
     * class has to register first.
     */
    public static boolean access(Class<?> user, Object owner, int site) {
        return OutOfLine.access(user, owner, site);
    }

    /** The same with its sites. */
    public static void access(Sites sites, Object owner, int site) {
        if (OutOfLine.NEVER) {
            OutOfLine.fill(999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999,
                    999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999);
        }
        if (Monitoring.stopped) {
            return;
        }
        try {
            ThreadState me = ThreadTable.current();
            if (me.busy) {
                return;
            }
            me.busy = true;
            try {
                FieldSite known = sites.known(site);
                if (known != null && !(owner instanceof Part)) {
                    known.access(me, owner);
                } else {
                    sites.access(me, owner, site);
                }
            } finally {
                me.busy = false;
            }
        } catch (Throwable keptQuiet) {
            // Out of stack or memory here would come as a surprise to the program there.
        }
    }

    /** After {@code super.clone()} has reached {@code Object.clone}. */
    public static void cloned(Object copy) {
        if (!ON || copy == null) {
            return;
        }
        try {
            Words.reset(copy);
        } catch (Throwable keptQuiet) {
            // See access.
        }
    }

    /** A class initialiser ends: what everybody who uses the class from now on comes to know (JLS 12.4.2). */
    public static Object initialized() {
        if (!Order.ON) {
            return null;
        }
        try {
            return new Initialisation(ThreadTable.current().past());
        } catch (Throwable keptQuiet) {
            return null;
        }
    }

    /** The current thread uses a class for which {@link #initialized} gave this; null if it has not ended, or none. */
    public static void uses(Object initialized) {
        if (Order.ON && initialized != null && ((Initialisation) initialized).isToLearn()) {
            OutOfLine.uses((Initialisation) initialized);
        }
    }

    /** A constructor ends that has set final fields; {@code made}: how many of its class are known already. */
    public static void frozen(Object object, int made, Class<?> declaring) {
        if (Order.ON && made < Frozen.ENOUGH) {
            OutOfLine.frozen(object, declaring);
        }
    }

    // ---- monitors

    public static void beforeLock(Object monitor) {
        if (ON && monitor != null) {
            LockHooks.before(monitor);
        }
    }

    public static void afterLock(Object monitor) {
        if (ON && monitor != null) {
            LockHooks.entered(monitor);
        }
    }

    public static void beforeUnlock(Object monitor) {
        if (ON && monitor != null) {
            LockHooks.leaving(monitor, false);
        }
    }

    public static void afterUnlock(Object monitor) {
        if (ON && monitor != null) {
            LockHooks.left(monitor);
        }
    }

    public static void wait(Object monitor) throws InterruptedException {
        int holds = LockHooks.release(monitor, false, monitor);
        try {
            monitor.wait();
        } finally {
            LockHooks.regain(monitor, false, holds);
        }
    }

    public static void wait(Object monitor, long millis) throws InterruptedException {
        int holds = LockHooks.release(monitor, false, monitor);
        try {
            monitor.wait(millis);
        } finally {
            LockHooks.regain(monitor, false, holds);
        }
    }

    public static void wait(Object monitor, long millis, int nanos) throws InterruptedException {
        int holds = LockHooks.release(monitor, false, monitor);
        try {
            monitor.wait(millis, nanos);
        } finally {
            LockHooks.regain(monitor, false, holds);
        }
    }

    // ---- threads

    public static void start(Thread thread) {
        beforeStart(thread);
        thread.start();
    }

    /** Before {@code super.start()}. */
    public static void beforeStart(Thread thread) {
        if (!ON || Monitoring.stopped) {
            return;
        }
        try {
            ThreadTable.starting(thread);
        } catch (Throwable keptQuiet) {
            // See access.
        }
    }

    public static void join(Thread thread) throws InterruptedException {
        LockHooks.waiting(thread);
        try {
            thread.join();
        } finally {
            joined(thread);
        }
    }

    public static void join(Thread thread, long millis) throws InterruptedException {
        LockHooks.waiting(thread);
        try {
            thread.join(millis);
        } finally {
            joined(thread);
        }
    }

    public static void join(Thread thread, long millis, int nanos) throws InterruptedException {
        LockHooks.waiting(thread);
        try {
            thread.join(millis, nanos);
        } finally {
            joined(thread);
        }
    }

    private static void joined(Thread thread) {
        LockHooks.waiting(null);
        if (!ON || Monitoring.stopped) {
            return;
        }
        try {
            ThreadTable.ended(thread);
        } catch (Throwable keptQuiet) {
            // See access.
        }
    }

    // ---- java.util.concurrent.locks

    public static void lock(Lock lock) {
        int holds = LockHooks.before(lock);
        try {
            lock.lock();
        } catch (Throwable e) {
            LockHooks.notTaken(lock);
            throw e;
        }
        LockHooks.taken(lock, holds);
        LockHooks.waited(lock);
    }

    public static void lockInterruptibly(Lock lock) throws InterruptedException {
        int holds = LockHooks.before(lock);
        try {
            lock.lockInterruptibly();
        } catch (Throwable e) {
            LockHooks.notTaken(lock);
            throw e;
        }
        LockHooks.taken(lock, holds);
        LockHooks.waited(lock);
    }

    public static boolean tryLock(Lock lock) {
        int holds = LockHooks.before(lock);
        boolean taken = false;
        try {
            taken = lock.tryLock();
        } finally {
            if (!taken) {
                LockHooks.notTaken(lock);
            }
        }
        if (taken) {
            LockHooks.taken(lock, holds);
        }
        return taken;
    }

    public static boolean tryLock(Lock lock, long time, TimeUnit unit) throws InterruptedException {
        int holds = LockHooks.before(lock);
        boolean taken = false;
        try {
            taken = lock.tryLock(time, unit);
        } finally {
            if (!taken) {
                LockHooks.notTaken(lock);
            }
        }
        if (taken) {
            LockHooks.taken(lock, holds);
        }
        return taken;
    }

    public static void unlock(Lock lock) {
        int holds = LockHooks.beforeUnlock(lock);
        lock.unlock();
        LockHooks.released(lock, holds);
    }

    /** After {@code super.lock()} or {@code super.lockInterruptibly()}. */
    public static void afterLock(Lock lock) {
        LockHooks.taken(lock, LockHooks.ALWAYS);
    }

    /** After {@code super.tryLock(…)}, with its result, which it returns. */
    public static boolean afterTryLock(boolean taken, Lock lock) {
        if (taken) {
            LockHooks.taken(lock, LockHooks.ALWAYS);
        }
        return taken;
    }

    /** Before {@code super.unlock()}. */
    public static void beforeUnlock(Lock lock) {
        LockHooks.beforeUnlock(lock);
        LockHooks.released(lock, LockHooks.ALWAYS);
    }

    public static void await(Condition condition) throws InterruptedException {
        Object lock = LockHooks.identity(condition);
        int holds = LockHooks.release(lock, false, condition);
        try {
            condition.await();
        } finally {
            LockHooks.regain(lock, false, holds);
        }
    }

    public static void awaitUninterruptibly(Condition condition) {
        Object lock = LockHooks.identity(condition);
        int holds = LockHooks.release(lock, false, condition);
        try {
            condition.awaitUninterruptibly();
        } finally {
            LockHooks.regain(lock, false, holds);
        }
    }

    public static long awaitNanos(Condition condition, long nanos) throws InterruptedException {
        Object lock = LockHooks.identity(condition);
        int holds = LockHooks.release(lock, false, condition);
        try {
            return condition.awaitNanos(nanos);
        } finally {
            LockHooks.regain(lock, false, holds);
        }
    }

    public static boolean await(Condition condition, long time, TimeUnit unit) throws InterruptedException {
        Object lock = LockHooks.identity(condition);
        int holds = LockHooks.release(lock, false, condition);
        try {
            return condition.await(time, unit);
        } finally {
            LockHooks.regain(lock, false, holds);
        }
    }

    public static boolean awaitUntil(Condition condition, Date deadline) throws InterruptedException {
        Object lock = LockHooks.identity(condition);
        int holds = LockHooks.release(lock, false, condition);
        try {
            return condition.awaitUntil(deadline);
        } finally {
            LockHooks.regain(lock, false, holds);
        }
    }
}
