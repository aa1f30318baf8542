package order;

import static order.Turns.check;
import static order.Turns.inTurn;
import static order.Turns.ordered;
import static order.Turns.races;
import static order.Turns.use;

import java.util.concurrent.locks.AbstractOwnableSynchronizer;
import java.util.concurrent.locks.AbstractQueuedLongSynchronizer;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;

/** Locks and latches of the program's own, made of the JDK's synchronizers: what they do to the state orders threads. */
final class Synchronizers {
    /** Held exclusively; state 1 while it is. */
    static final class Mutex extends AbstractQueuedSynchronizer {
        @Override
        protected boolean tryAcquire(int unused) {
            return compareAndSetState(0, 1);
        }

        @Override
        protected boolean tryRelease(int unused) {
            setState(0);
            return true;
        }
    }

    /** Shared; open once its state is not 0. */
    static final class Gate extends AbstractQueuedLongSynchronizer {
        @Override
        protected long tryAcquireShared(long unused) {
            return getState() != 0 ? 1 : -1;
        }

        @Override
        protected boolean tryReleaseShared(long unused) {
            setState(1);
            return true;
        }
    }

    /** Knows its owner, which orders nothing. */
    static final class Owned extends AbstractOwnableSynchronizer {
        void take() {
            setExclusiveOwnerThread(Thread.currentThread());
        }

        boolean isTaken() {
            return getExclusiveOwnerThread() != null;
        }
    }

    static void run() {
        ordered("AbstractQueuedSynchronizer: release, acquire", () -> {
            Mutex m = new Mutex();
            Cell c = new Cell();
            inTurn(
                    () -> { m.acquire(1); c.v = 1; m.release(1); },
                    () -> { m.acquireInterruptibly(1); c.v++; m.release(1); },
                    () -> { check(m.tryAcquireNanos(1, 1)); c.v++; m.release(1); });
        });
        races("AbstractQueuedSynchronizer: two of them", () -> {
            Mutex m = new Mutex();
            Mutex n = new Mutex();
            Cell c = new Cell();
            inTurn(
                    () -> { m.acquire(1); c.v = 1; m.release(1); }, // expect race
                    () -> { n.acquire(1); c.v++; n.release(1); }); // expect race
        });
        races("AbstractQueuedSynchronizer: written after the release", () -> {
            Mutex m = new Mutex();
            Cell c = new Cell();
            inTurn(
                    () -> { m.acquire(1); m.release(1); c.v = 1; }, // expect race
                    () -> { m.acquire(1); c.v++; m.release(1); }); // expect race
        });
        ordered("AbstractQueuedLongSynchronizer: releaseShared, acquireShared", () -> {
            Gate g = new Gate();
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; g.releaseShared(1); }, () -> { g.acquireShared(1); c.v++; });
        });
        races("AbstractQueuedLongSynchronizer: those who pass", () -> {
            Gate g = new Gate();
            Cell c = new Cell();
            inTurn(
                    () -> g.releaseShared(1),
                    () -> { g.acquireShared(1); c.v = 1; }, // expect race
                    () -> { g.acquireShared(1); c.v++; }); // expect race
        });
        races("AbstractOwnableSynchronizer orders nothing", () -> {
            Owned o = new Owned();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; o.take(); }, // expect race
                    () -> { use(o.isTaken()); c.v++; }); // expect race
        });
    }

    private Synchronizers() {}
}
