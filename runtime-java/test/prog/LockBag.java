package prog;

import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import racewire.rt.Hooks;
import racewire.rt.Inspect;

/** The hooks keep exact account of held locks, in good times and bad, and change nothing else. */
public class LockBag {
    static final String RL = "java.util.concurrent.locks.ReentrantLock";
    static final String CELL = "prog.Cell";

    public static void main(String[] args) throws Exception {
        reentrance();
        waiting();
        conditions();
        failures();
        overridden();
        events();
        System.out.println("ok");
    }

    static void enter(Object o, Check.Body body) throws Exception {
        Hooks.beforeLock(o);
        synchronized (o) {
            Hooks.afterLock(o);
            try {
                body.run();
            } catch (Exception e) {
                throw e;
            } catch (Throwable e) {
                throw new AssertionError(e);
            } finally {
                Hooks.beforeUnlock(o);
            }
        }
        Hooks.afterUnlock(o);
    }

    static void reentrance() throws Exception {
        Cell a = new Cell();
        enter(a, () -> {
            enter(a, () -> Check.locks(CELL, CELL));
            Check.locks(CELL);
        });
        enter(Cell.class, () -> Check.locks("prog.Cell.class"));
        Check.locks();
    }

    static void waiting() throws Exception {
        Cell a = new Cell();
        Object[] seen = new Object[1];
        enter(a, () -> enter(a, () -> {
            Hooks.wait(a, 1);
            Check.locks(CELL, CELL);
            Hooks.wait(a, 0, 1);
            Check.locks(CELL, CELL);
            Thread.currentThread().interrupt();
            try {
                Hooks.wait(a);
                Check.that(false, "interrupted wait returned");
            } catch (InterruptedException expected) {
                Check.locks(CELL, CELL);
            }
            Thread main = Thread.currentThread();
            Hooks.start(Check.thread("waker", () -> {
                while (Inspect.waitingFor(main) != a) {
                    Thread.sleep(1);
                }
                seen[0] = Inspect.waitingFor(main);
                enter(a, a::notifyAll);
            }));
            Hooks.wait(a);
            Check.locks(CELL, CELL);
        }));
        Check.that(seen[0] == a, "the waker saw what the main thread waited for");
        try {
            Hooks.wait(a);
            Check.that(false, "not the owner");
        } catch (IllegalMonitorStateException expected) {
            Check.locks();
        }
    }

    static void conditions() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        Condition c = lock.newCondition();
        Hooks.lock(lock);
        Hooks.lock(lock);
        Check.that(Hooks.awaitNanos(c, 1) <= 0, "time is up");
        Check.that(!Hooks.await(c, 1, TimeUnit.NANOSECONDS), "time is up");
        Check.that(!Hooks.awaitUntil(c, new Date(0)), "time is up");
        Check.locks(RL, RL);
        Thread.currentThread().interrupt();
        try {
            Hooks.await(c);
            Check.that(false, "interrupted await returned");
        } catch (InterruptedException expected) {
            Check.locks(RL, RL);
        }
        Hooks.start(Check.thread("signaller", () -> {
            Hooks.lock(lock);
            c.signalAll();
            Hooks.unlock(lock);
        }));
        Hooks.awaitUninterruptibly(c);
        Check.locks(RL, RL);
        Check.equal(2, lock.getHoldCount());
        Hooks.unlock(lock);
        Hooks.unlock(lock);
        Check.locks();
    }

    static void failures() throws Exception {
        ReentrantLock lock = new ReentrantLock();
        try {
            Hooks.unlock(lock);
            Check.that(false, "not the owner");
        } catch (IllegalMonitorStateException expected) {
            Check.locks();
        }
        Thread holder = Check.thread("holder", () -> {
            Hooks.lock(lock);
            Check.that(Hooks.tryLock(lock, 1, TimeUnit.SECONDS), "mine");
        });
        Hooks.start(holder);
        Hooks.join(holder, 0, 0);
        Check.that(!Hooks.tryLock(lock), "taken by a thread that died");
        Check.that(!Hooks.tryLock(lock, 1, TimeUnit.NANOSECONDS), "taken by a thread that died");
        Thread.currentThread().interrupt();
        try {
            Hooks.lockInterruptibly(lock);
            Check.that(false, "interrupted");
        } catch (InterruptedException expected) {
            Check.locks();
        }
        nullReceiver(() -> Hooks.lock(null));
        nullReceiver(() -> Hooks.tryLock(null));
        nullReceiver(() -> Hooks.unlock(null));
        nullReceiver(() -> Hooks.wait(null));
        nullReceiver(() -> Hooks.start(null));
        nullReceiver(() -> Hooks.join(null));
        nullReceiver(() -> Hooks.await(null));
        Hooks.beforeLock((Object) null);
        Hooks.cloned(null);
        Check.locks();
    }

    static void nullReceiver(Check.Body call) {
        try {
            call.run();
        } catch (NullPointerException expected) {
            return;
        } catch (Throwable other) {
            throw new AssertionError(other);
        }
        Check.that(false, "no NullPointerException");
    }

    /** Overrides lock with hooks beside super.lock(), and leaves unlock alone: still one hold, not two. */
    static final class Counting extends ReentrantLock {
        private static final long serialVersionUID = 1;
        int locked;

        @Override
        public void lock() {
            super.lock();
            Hooks.afterLock((java.util.concurrent.locks.Lock) this);
            locked++;
        }

        @Override
        public boolean tryLock() {
            return Hooks.afterTryLock(super.tryLock(), this);
        }
    }

    static void overridden() {
        Counting lock = new Counting();
        Hooks.lock(lock);
        Check.locks(RL);
        Check.that(Hooks.tryLock(lock), "mine");
        Check.locks(RL, RL);
        Check.equal(1, lock.locked);
        Hooks.unlock(lock);
        Hooks.unlock(lock);
        Check.locks();
    }

    static void events() throws Exception {
        List<String> log = new ArrayList<>();
        Cell a = new Cell();
        ReentrantLock lock = new ReentrantLock();
        Object identity = Inspect.identity(lock);
        Inspect.setListener(new Inspect.Listener() {
            void note(String what, Object o, boolean held) {
                log.add(what + (o == a ? " a" : o == identity ? " lock" : " ?") + (held ? " held" : " free"));
            }

            boolean holds(Object o) {
                return o == a ? Thread.holdsLock(a) : lock.isHeldByCurrentThread();
            }

            @Override
            public void beforeLock(Object o) {
                note("before-lock", o, holds(o));
            }

            @Override
            public void afterLock(Object o) {
                note("after-lock", o, holds(o));
            }

            @Override
            public void beforeUnlock(Object o) {
                note("before-unlock", o, holds(o));
            }

            @Override
            public void afterUnlock(Object o) {
                note("after-unlock", o, holds(o));
            }
        });
        enter(a, () -> {
            Hooks.lock(lock);
            Hooks.unlock(lock);
        });
        Inspect.setListener(null);
        Check.equal("[before-lock a free, after-lock a held, before-lock lock free, after-lock lock held, "
                + "before-unlock lock held, after-unlock lock free, before-unlock a held, after-unlock a free]",
                log.toString());
    }
}
