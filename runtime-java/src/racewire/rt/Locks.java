package racewire.rt;

import java.util.List;

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

    // ---- calls that hold the lock of their object while they last, if calls of its class do

    /**
     * Before such a call of a container that guards another one: its lock is taken here already, so that what is done to
     * the container behind is done under it, to everybody's eyes. The call takes it first thing, and nothing in between
     * waits for anybody: this is why the runtime may touch a lock of the program.
     */
    public static void enter(Object o) {
        if (isWorthALook(o)) {
            enterGuarding(o);
        }
    }

    /** Most containers are known at a glance to hold no lock. */
    private static boolean isWorthALook(Object o) {
        return Hooks.ON && Order.ON && o != null && !ContainerClass.isCommon(o);
    }

    private static void enterGuarding(Object o) {
        if (OutOfLine.NEVER) {
            OutOfLine.fill(999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999,
                    999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999);
        }
        if (!ContainerClass.mayLock(o)) {
            return;
        }
        try {
            Object lock = Containers.guard(o);
            if (lock != null) {
                LockHooks.before(lock);
                if (Native.enter(lock)) {
                    LockHooks.entered(lock);
                    ThreadTable.current().guards.add(lock);
                }
            }
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
        }
    }

    /**
     * Before any such call. The lock itself is out of sight: whoever has it later learns of this call after its own.
     */
    public static void pass(Object o) {
        if (isWorthALook(o)) {
            releaseLocked(o);
        }
    }

    private static void releaseLocked(Object o) {
        if (OutOfLine.NEVER) {
            OutOfLine.fill(999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999,
                    999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999);
        }
        if (ContainerClass.mayLock(o)) {
            Sync.release(Containers.behind(o, ContainerClass.Kind.LOCKED));
        }
    }

    /** After it. */
    public static void leave(Object o) {
        if (isWorthALook(o)) {
            leaveGuarding(o);
        }
    }

    private static void leaveGuarding(Object o) {
        if (OutOfLine.NEVER) {
            OutOfLine.fill(999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999,
                    999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999);
        }
        if (!ContainerClass.mayLock(o)) {
            return;
        }
        Sync.acquire(Containers.behind(o, ContainerClass.Kind.LOCKED));
        try {
            Object lock = Containers.guard(o);
            List<Object> entered = ThreadTable.current().guards;
            int last = entered.size() - 1;
            if (lock != null && last >= 0 && entered.get(last) == lock) {
                entered.remove(last);
                LockHooks.leaving(lock, false);
                Native.exit(lock);
                LockHooks.left(lock);
            }
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
        }
    }
}
