package order;

import static order.Turns.call;
import static order.Turns.check;
import static order.Turns.inTurn;
import static order.Turns.ordered;
import static order.Turns.races;
import static order.Turns.start;
import static order.Turns.use;

import invisible.Stage;
import java.util.concurrent.locks.LockSupport;

/** Start, end and interruption of threads (JLS 17.4.4). */
final class Threads {
    static final class Own extends Thread {
        int v;

        @Override
        public void run() {
            v++;
        }
    }

    static final class Late extends Thread {
        int v;

        @Override
        public void run() {
            v++; // expect race
        }
    }

    static void run() {
        starting();
        handlers();
        joining();
        alive();
        interrupting();
        nothing();
    }

    private static void starting() {
        ordered("start", () -> {
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; Stage.ended(start(() -> use(c.v))); });
        });
        races("written after start", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            inTurn(() -> {
                Thread t = start(() -> {
                    s.await(1);
                    use(c.v); // expect race
                });
                c.v = 1; // expect race
                s.reach(1);
                Stage.ended(t);
            });
        });
        ordered("start of a start", () -> {
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; Stage.ended(start(() -> Stage.ended(start(() -> c.v++)))); });
        });
        races("brothers", () -> {
            Cell c = new Cell();
            inTurn(
                    () -> c.v = 1, // expect race
                    () -> Stage.ended(start(() -> use(c.v)))); // expect race
        });
        ordered("a subclass of Thread", () -> {
            Own t = new Own();
            t.v = 1;
            t.start();
            t.join();
            use(t.v);
        });
        races("a subclass of Thread, written after start", () -> {
            Late t = new Late();
            t.start();
            Stage.ended(t);
            t.v++; // expect race
        });
        // The handler runs in the thread that dies.
        ordered("uncaught exception handler", () -> {
            Cell c = new Cell();
            Thread t = new Thread(() -> { c.v = 1; throw new IllegalStateException("expected"); });
            t.setUncaughtExceptionHandler((thread, thrown) -> c.v++);
            t.start();
            t.join();
            use(c.v);
        });
        races("uncaught exception handler, nobody joins", () -> {
            Cell c = new Cell();
            Thread t = new Thread(() -> { throw new IllegalStateException("expected"); });
            t.setUncaughtExceptionHandler((thread, thrown) -> c.v++); // expect race
            t.start();
            Stage.ended(t);
            use(c.v); // expect race
        });
    }

    /** The handler is a volatile field: who sets it comes before the thread that dies with it. */
    private static void handlers() {
        ordered("uncaught exception handler, set while the thread runs", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            Thread t = new Thread(() -> { s.await(1); throw new IllegalStateException("expected"); });
            t.start();
            inTurn(() -> { c.v = 1; t.setUncaughtExceptionHandler((thread, thrown) -> c.v++); });
            s.reach(1);
            Stage.ended(t);
        });
        races("uncaught exception handler, written after it was set", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            Thread t = new Thread(() -> { s.await(1); throw new IllegalStateException("expected"); });
            t.setUncaughtExceptionHandler((thread, thrown) -> c.v++); // expect race
            t.start();
            inTurn(() -> c.v = 1); // expect race
            s.reach(1);
            Stage.ended(t);
        });
        ordered("default uncaught exception handler", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            Thread t = new Thread(() -> { s.await(1); throw new IllegalStateException("expected"); });
            t.start();
            inTurn(() -> { c.v = 1; Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> c.v++); });
            s.reach(1);
            Stage.ended(t);
            Thread.setDefaultUncaughtExceptionHandler(null);
        });
    }

    private static void joining() {
        ordered("join", () -> {
            Cell c = new Cell();
            inTurn(() -> { Thread t = start(() -> c.v = 1); t.join(); use(c.v); });
        });
        races("no join", () -> {
            Cell c = new Cell();
            inTurn(() -> {
                Thread t = start(() -> c.v = 1); // expect race
                Stage.ended(t);
                use(c.v); // expect race
            });
        });
        races("the join of another thread", () -> {
            Cell c = new Cell();
            inTurn(() -> {
                Thread t = start(() -> c.v = 1); // expect race
                Stage.ended(t);
                start(() -> {}).join();
                use(c.v); // expect race
            });
        });
        ordered("join by a thread that did not start it", () -> {
            Cell c = new Cell();
            Thread t = start(() -> c.v = 1);
            inTurn(() -> { t.join(); use(c.v); });
        });
        ordered("join with a time limit, the thread has ended", () -> {
            Cell c = new Cell();
            Thread t = start(() -> c.v = 1);
            Stage.ended(t);
            inTurn(() -> { t.join(1000); use(c.v); }, () -> { t.join(1000, 1); use(c.v); });
        });
        races("join that timed out: the thread has not ended", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            Thread t = start(() -> {
                c.v = 1; // expect race
                s.reach(1);
                s.await(2);
            });
            s.await(1);
            inTurn(() -> {
                t.join(1);
                use(c.v); // expect race
            });
            s.reach(2);
            Stage.ended(t);
        });
        ordered("the end of a thread that ended by an exception", () -> {
            Cell c = new Cell();
            Thread t = new Thread(() -> { c.v = 1; throw new IllegalStateException("expected"); });
            t.setUncaughtExceptionHandler((thread, thrown) -> {});
            t.start();
            t.join();
            use(c.v);
        });
    }

    /** "T2 may accomplish this by calling T1.isAlive() or T1.join()." */
    private static void alive() {
        ordered("isAlive() said no", () -> {
            Cell c = new Cell();
            Thread t = start(() -> c.v = 1);
            Stage.ended(t);
            inTurn(() -> { check(!t.isAlive()); use(c.v); });
        });
        // "For use in monitoring of the system state, not for synchronization control."
        races("getState() said TERMINATED", () -> {
            Cell c = new Cell();
            Thread t = start(() -> c.v = 1); // expect race
            Stage.ended(t);
            inTurn(() -> { check(t.getState() == Thread.State.TERMINATED); use(c.v); }); // expect race
        });
        races("isAlive() said yes", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            Thread t = start(() -> {
                c.v = 1; // expect race
                s.reach(1);
                s.await(2);
            });
            s.await(1);
            inTurn(() -> {
                check(t.isAlive());
                use(c.v); // expect race
            });
            s.reach(2);
            Stage.ended(t);
        });
    }

    /** An interrupt synchronizes with any point where any thread finds out that the thread was interrupted. */
    private static void interrupting() {
        ordered("interrupt, then InterruptedException", () -> {
            Cell c = new Cell();
            Thread t = start(() -> {
                try {
                    Thread.sleep(20_000);
                } catch (InterruptedException e) {
                    use(c.v);
                }
            });
            Stage.waits(t);
            inTurn(() -> { c.v = 1; t.interrupt(); });
            Stage.ended(t);
        });
        races("written after the interrupt", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            Thread t = start(() -> {
                try {
                    Thread.sleep(20_000);
                } catch (InterruptedException e) {
                    s.await(1);
                    use(c.v); // expect race
                }
            });
            Stage.waits(t);
            inTurn(() -> {
                t.interrupt();
                c.v = 1; // expect race
                s.reach(1);
            });
            Stage.ended(t);
        });
        ordered("interrupt, then interrupted()", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            Thread t = start(() -> { s.await(1); check(Thread.interrupted()); use(c.v); });
            inTurn(() -> { c.v = 1; t.interrupt(); s.reach(1); });
            Stage.ended(t);
        });
        ordered("interrupt, then isInterrupted() by a third thread", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            Thread t = start(() -> s.awaitInterrupted(1));
            inTurn(() -> { c.v = 1; t.interrupt(); }, () -> { check(t.isInterrupted()); use(c.v); });
            s.reach(1);
            Stage.ended(t);
        });
        races("isInterrupted() said no", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            Thread t = start(() -> s.awaitInterrupted(1));
            Thread u = start(() -> s.awaitInterrupted(1));
            inTurn(
                    () -> { c.v = 1; t.interrupt(); }, // expect race
                    () -> { check(!u.isInterrupted()); use(c.v); }); // expect race
            s.reach(1);
            Stage.ended(t);
            Stage.ended(u);
        });
    }

    /** What looks like synchronization and is none. */
    private static void nothing() {
        races("sleep, yield, onSpinWait", () -> {
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; Thread.sleep(1); Thread.yield(); Thread.onSpinWait(); }, // expect race
                    () -> { Thread.sleep(1); Thread.yield(); Thread.onSpinWait(); use(c.v); }); // expect race
        });
        // LockSupport promises no happens-before, and park may return for no reason: whoever relies on the permit alone
        // reads too early some day.
        races("unpark and park alone", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            Thread t = start(() -> {
                LockSupport.park();
                s.await(1);
                use(c.v); // expect race
            });
            Stage.waits(t);
            inTurn(() -> {
                c.v = 1; // expect race
                LockSupport.unpark(t);
                s.reach(1);
            });
            Stage.ended(t);
        });
        ordered("unpark and park with a volatile flag", () -> {
            Volatiles.Flags f = new Volatiles.Flags();
            Cell c = new Cell();
            Thread t = start(() -> {
                while (f.one == 0) {
                    LockSupport.park();
                }
                use(c.v);
            });
            Stage.waits(t);
            inTurn(() -> { c.v = 1; f.one = 1; LockSupport.unpark(t); });
            Stage.ended(t);
        });
        ordered("a ThreadLocal's values are each thread's own", () -> {
            ThreadLocal<Cell> local = ThreadLocal.withInitial(Cell::new);
            inTurn(() -> local.get().v++, () -> local.get().v++);
        });
        races("one object in the ThreadLocal of two threads", () -> {
            ThreadLocal<Cell> local = new ThreadLocal<>();
            Cell c = new Cell();
            inTurn(
                    () -> { local.set(c); local.get().v++; }, // expect race
                    () -> { local.set(c); local.get().v++; }); // expect race
        });
        ordered("run() called directly is no thread", () -> {
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; new Thread(() -> call(() -> c.v++)).run(); use(c.v); });
        });
    }
}
