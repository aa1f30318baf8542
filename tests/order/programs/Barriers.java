package order;

import static order.Turns.check;
import static order.Turns.inTurn;
import static order.Turns.ordered;
import static order.Turns.races;
import static order.Turns.start;
import static order.Turns.together;
import static order.Turns.use;

import invisible.Stage;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The synchronizers of java.util.concurrent, each as the "memory consistency effects" of its documentation say. */
final class Barriers {
    static void run() {
        latches();
        cyclic();
        phasers();
        semaphores();
        exchangers();
    }

    /** Until the count reaches zero, what precedes countDown happens-before what follows a successful await. */
    private static void latches() {
        ordered("CountDownLatch", () -> {
            CountDownLatch l = new CountDownLatch(1);
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; l.countDown(); }, () -> { l.await(); use(c.v); });
        });
        ordered("CountDownLatch that is waited for", () -> {
            CountDownLatch l = new CountDownLatch(1);
            Cell c = new Cell();
            Thread t = start(() -> { l.await(); use(c.v); });
            Stage.waits(t);
            inTurn(() -> { c.v = 1; l.countDown(); });
            Stage.ended(t);
        });
        ordered("CountDownLatch: every countDown counts", () -> {
            CountDownLatch l = new CountDownLatch(2);
            Cell c = new Cell();
            Cell d = new Cell();
            inTurn(
                    () -> { c.v = 1; l.countDown(); },
                    () -> { d.v = 1; l.countDown(); },
                    () -> { check(l.await(1, TimeUnit.SECONDS)); use(c.v + d.v); });
        });
        races("CountDownLatch: written after countDown", () -> {
            CountDownLatch l = new CountDownLatch(1);
            Cell c = new Cell();
            inTurn(
                    () -> { l.countDown(); c.v = 1; }, // expect race
                    () -> { l.await(); use(c.v); }); // expect race
        });
        races("CountDownLatch: read before await", () -> {
            CountDownLatch l = new CountDownLatch(1);
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; l.countDown(); }, // expect race
                    () -> { use(c.v); l.await(); }); // expect race
        });
        races("CountDownLatch: another latch", () -> {
            CountDownLatch l = new CountDownLatch(1);
            CountDownLatch k = new CountDownLatch(0);
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; l.countDown(); }, // expect race
                    () -> { k.await(); use(c.v); }); // expect race
        });
        races("CountDownLatch: an await that timed out", () -> {
            CountDownLatch l = new CountDownLatch(2);
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; l.countDown(); }, // expect race
                    () -> { check(!l.await(1, TimeUnit.MILLISECONDS)); use(c.v); }); // expect race
        });
        races("CountDownLatch: counting down does not wait", () -> {
            CountDownLatch l = new CountDownLatch(2);
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; l.countDown(); }, // expect race
                    () -> { l.countDown(); use(c.v); }); // expect race
        });
    }

    /** What precedes await happens-before the barrier action, and that before what follows the others' await. */
    private static void cyclic() {
        ordered("CyclicBarrier", () -> {
            CyclicBarrier b = new CyclicBarrier(2);
            Cell c = new Cell();
            Cell d = new Cell();
            together(() -> { c.v = 1; b.await(); use(d.v); }, () -> { d.v = 1; b.await(); use(c.v); });
        });
        ordered("CyclicBarrier: two rounds", () -> {
            CyclicBarrier b = new CyclicBarrier(2);
            Cell c = new Cell();
            together(
                    () -> { c.v = 1; b.await(); b.await(1, TimeUnit.SECONDS); c.v = 3; },
                    () -> { b.await(); c.v = 2; b.await(); });
        });
        ordered("CyclicBarrier: the action", () -> {
            Cell c = new Cell();
            Cell d = new Cell();
            CyclicBarrier b = new CyclicBarrier(2, () -> { c.v++; d.v++; });
            together(() -> { c.v = 1; b.await(); use(d.v); }, () -> { d.v = 1; b.await(); use(c.v); });
        });
        races("CyclicBarrier: both write after it", () -> {
            CyclicBarrier b = new CyclicBarrier(2);
            Cell c = new Cell();
            Stage s = new Stage();
            together(
                    () -> {
                        b.await();
                        c.v = 1; // expect race
                        s.reach(1);
                    },
                    () -> {
                        b.await();
                        s.await(1);
                        use(c.v); // expect race
                    });
        });
        races("CyclicBarrier: both write before it", () -> {
            CyclicBarrier b = new CyclicBarrier(2);
            Cell c = new Cell();
            Stage s = new Stage();
            together(
                    () -> {
                        c.v = 1; // expect race
                        s.reach(1);
                        b.await();
                    },
                    () -> {
                        s.await(1);
                        c.v = 2; // expect race
                        b.await();
                    });
        });
        races("CyclicBarrier: broken by a timeout", () -> {
            CyclicBarrier b = new CyclicBarrier(3);
            Cell c = new Cell();
            Stage s = new Stage();
            together(
                    () -> {
                        c.v = 1; // expect race
                        try {
                            b.await(1, TimeUnit.MILLISECONDS);
                            check(false);
                        } catch (TimeoutException expected) {
                            s.reach(1);
                        }
                    },
                    () -> {
                        s.await(1);
                        try {
                            b.await();
                            check(false);
                        } catch (BrokenBarrierException expected) {
                            use(c.v); // expect race
                        }
                    });
        });
    }

    /** What precedes an arrival happens-before what follows the advance to the next phase. */
    private static void phasers() {
        ordered("Phaser: arriveAndAwaitAdvance", () -> {
            Phaser p = new Phaser(2);
            Cell c = new Cell();
            Cell d = new Cell();
            together(
                    () -> { c.v = 1; p.arriveAndAwaitAdvance(); use(d.v); },
                    () -> { d.v = 1; p.arriveAndAwaitAdvance(); use(c.v); });
        });
        ordered("Phaser: arrive, awaitAdvance", () -> {
            Phaser p = new Phaser(1);
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; p.arrive(); }, () -> { p.awaitAdvance(0); use(c.v); });
        });
        ordered("Phaser: arriveAndDeregister, awaitAdvanceInterruptibly", () -> {
            Phaser p = new Phaser(1);
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; p.arriveAndDeregister(); }, () -> { p.awaitAdvanceInterruptibly(0); use(c.v); });
        });
        ordered("Phaser: onAdvance", () -> {
            Cell c = new Cell();
            Phaser p = new Phaser(2) {
                @Override
                protected boolean onAdvance(int phase, int parties) {
                    c.v++;
                    return false;
                }
            };
            inTurn(() -> { c.v = 1; p.arrive(); }, () -> p.arrive(), () -> { p.awaitAdvance(0); use(c.v); });
        });
        races("Phaser: written after the arrival", () -> {
            Phaser p = new Phaser(1);
            Cell c = new Cell();
            inTurn(
                    () -> { p.arrive(); c.v = 1; }, // expect race
                    () -> { p.awaitAdvance(0); use(c.v); }); // expect race
        });
        races("Phaser: arriving does not wait", () -> {
            Phaser p = new Phaser(3);
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; p.arrive(); }, // expect race
                    () -> { p.arrive(); use(c.v); }); // expect race
        });
        races("Phaser: another phaser", () -> {
            Phaser p = new Phaser(1);
            Phaser q = new Phaser(1);
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; p.arrive(); }, // expect race
                    () -> { q.arriveAndAwaitAdvance(); use(c.v); }); // expect race
        });
        races("Phaser: an awaitAdvance that timed out", () -> {
            Phaser p = new Phaser(2);
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; p.arrive(); }, // expect race
                    () -> {
                        try {
                            p.awaitAdvanceInterruptibly(0, 1, TimeUnit.MILLISECONDS);
                            check(false);
                        } catch (TimeoutException expected) {
                            use(c.v); // expect race
                        }
                    });
        });
    }

    /** What precedes release happens-before what follows a successful acquire. */
    private static void semaphores() {
        ordered("Semaphore", () -> {
            Semaphore s = new Semaphore(0);
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; s.release(); }, () -> { s.acquire(); use(c.v); });
        });
        ordered("Semaphore: as a lock", () -> {
            Semaphore s = new Semaphore(1);
            Cell c = new Cell();
            inTurn(
                    () -> { s.acquire(); c.v = 1; s.release(); },
                    () -> { s.acquireUninterruptibly(); c.v++; s.release(); },
                    () -> { check(s.tryAcquire()); c.v++; s.release(1); },
                    () -> { check(s.tryAcquire(1, 1, TimeUnit.SECONDS)); c.v++; });
        });
        races("Semaphore: written after release", () -> {
            Semaphore s = new Semaphore(0);
            Cell c = new Cell();
            inTurn(
                    () -> { s.release(); c.v = 1; }, // expect race
                    () -> { s.acquire(); use(c.v); }); // expect race
        });
        races("Semaphore: another semaphore", () -> {
            Semaphore s = new Semaphore(0);
            Semaphore t = new Semaphore(1);
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; s.release(); }, // expect race
                    () -> { t.acquire(); use(c.v); }); // expect race
        });
        races("Semaphore: a tryAcquire that failed", () -> {
            Semaphore s = new Semaphore(0);
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; s.release(); }, // expect race
                    () -> { check(!s.tryAcquire(2)); use(c.v); }, // expect race
                    () -> check(!s.tryAcquire(2, 1, TimeUnit.MILLISECONDS)));
        });
        races("Semaphore: acquired, then released: that way there is no edge", () -> {
            Semaphore s = new Semaphore(1);
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; s.acquire(); }, // expect race
                    () -> { s.release(); use(c.v); }); // expect race
        });
    }

    /** What precedes exchange happens-before what follows the corresponding exchange of the other thread. */
    private static void exchangers() {
        ordered("Exchanger: both ways", () -> {
            Exchanger<String> x = new Exchanger<>();
            Cell c = new Cell();
            Cell d = new Cell();
            together(
                    () -> { c.v = 1; x.exchange("a"); use(d.v); },
                    () -> { d.v = 1; x.exchange("b", 5, TimeUnit.SECONDS); use(c.v); });
        });
        ordered("Exchanger: what was exchanged", () -> {
            Exchanger<Cell> x = new Exchanger<>();
            together(
                    () -> { Cell mine = new Cell(); mine.v = 1; use(x.exchange(mine).v); },
                    () -> { Cell mine = new Cell(); mine.v = 1; use(x.exchange(mine).v); });
        });
        races("Exchanger: written after the exchange", () -> {
            Exchanger<String> x = new Exchanger<>();
            Cell c = new Cell();
            Stage s = new Stage();
            together(
                    () -> {
                        x.exchange("a");
                        c.v = 1; // expect race
                        s.reach(1);
                    },
                    () -> {
                        x.exchange("b");
                        s.await(1);
                        use(c.v); // expect race
                    });
        });
        races("Exchanger: an exchange that timed out", () -> {
            Exchanger<String> x = new Exchanger<>();
            Cell c = new Cell();
            inTurn(
                    () -> {
                        c.v = 1; // expect race
                        timedOut(x);
                    },
                    () -> {
                        timedOut(x);
                        use(c.v); // expect race
                    });
        });
    }

    private static void timedOut(Exchanger<String> x) throws InterruptedException {
        try {
            x.exchange("a", 1, TimeUnit.MILLISECONDS);
            check(false);
        } catch (TimeoutException expected) {
            use(expected);
        }
    }
}
