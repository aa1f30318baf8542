package order;

import static order.Turns.check;
import static order.Turns.inTurn;
import static order.Turns.ordered;
import static order.Turns.races;
import static order.Turns.use;

import invisible.Stage;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** What is final in JDK 25: virtual threads, scoped values, executors that close, threads joined for a duration. */
final class Virtual {
    static void run() {
        threads();
        executors();
        scoped();
    }

    private static void threads() {
        ordered("virtual thread: start, join", () -> {
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; Thread.startVirtualThread(() -> c.v++).join(); c.v++; });
        });
        races("virtual thread: written after start", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            inTurn(() -> {
                Thread t = Thread.startVirtualThread(() -> {
                    s.await(1);
                    c.v++; // expect race
                });
                c.v = 1; // expect race
                s.reach(1);
                Stage.ended(t);
            });
        });
        races("virtual thread: nobody joins", () -> {
            Cell c = new Cell();
            inTurn(() -> {
                Thread t = Thread.ofVirtual().start(() -> c.v = 1); // expect race
                Stage.ended(t);
                c.v++; // expect race
            });
        });
        races("virtual threads: two, perhaps on one carrier", () -> {
            Cell c = new Cell();
            inTurn(() -> {
                Stage.ended(Thread.startVirtualThread(() -> c.v = 1)); // expect race
                Stage.ended(Thread.startVirtualThread(() -> c.v++)); // expect race
            });
        });
        ordered("virtual thread: one thread on two carriers", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            inTurn(() -> {
                Thread t = Thread.startVirtualThread(() -> { c.v = 1; s.await(1); c.v++; });
                Stage.waits(t);
                s.reach(1);
                Stage.ended(t);
            });
        });
        ordered("virtual thread: monitors and latches", () -> {
            Cell c = new Cell();
            Cell d = new Cell();
            CountDownLatch l = new CountDownLatch(1);
            inTurn(() -> {
                Thread first = Thread.startVirtualThread(() -> { synchronized (c) { c.v = 1; } d.v = 1; l.countDown(); });
                Thread second = Thread.startVirtualThread(() -> {
                    Turns.call(l::await);
                    d.v++;
                    synchronized (c) { c.v++; }
                });
                Stage.ended(first);
                Stage.ended(second);
            });
        });
        races("virtual thread: two monitors", () -> {
            Cell c = new Cell();
            Object m = new Object();
            inTurn(() -> {
                Stage.ended(Thread.startVirtualThread(() -> { synchronized (c) { c.v = 1; } })); // expect race
                Stage.ended(Thread.startVirtualThread(() -> { synchronized (m) { c.v++; } })); // expect race
            });
        });
        ordered("join with a duration, the thread has ended", () -> {
            Cell c = new Cell();
            inTurn(() -> { check(Thread.ofPlatform().start(() -> c.v = 1).join(Duration.ofSeconds(10))); c.v++; });
        });
        races("join with a duration that is over", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            inTurn(() -> {
                Thread t = Thread.startVirtualThread(() -> {
                    c.v = 1; // expect race
                    s.reach(1);
                    s.await(2);
                });
                s.await(1);
                check(!t.join(Duration.ofMillis(1)));
                c.v++; // expect race
                s.reach(2);
                Stage.ended(t);
            });
        });
        ordered("virtual thread: a builder's unstarted thread", () -> {
            Cell c = new Cell();
            inTurn(() -> {
                Thread t = Thread.ofVirtual().name("v").unstarted(() -> c.v++);
                c.v = 1;
                t.start();
                t.join();
                c.v++;
            });
        });
        ordered("virtual thread: interrupted", () -> {
            Cell c = new Cell();
            inTurn(() -> {
                Thread t = Thread.startVirtualThread(() -> {
                    try {
                        Thread.sleep(20_000);
                    } catch (InterruptedException e) {
                        c.v++;
                    }
                });
                Stage.waits(t);
                c.v = 1;
                t.interrupt();
                Stage.ended(t);
            });
        });
    }

    private static void executors() {
        ordered("newVirtualThreadPerTaskExecutor: submit, get", () -> {
            Cell c = new Cell();
            inTurn(() -> {
                ExecutorService e = Executors.newVirtualThreadPerTaskExecutor();
                c.v = 1;
                e.submit(() -> c.v++).get();
                c.v++;
                e.shutdown();
            });
        });
        ordered("ExecutorService.close waits for its tasks", () -> {
            Cell c = new Cell();
            inTurn(() -> {
                try (ExecutorService e = Executors.newVirtualThreadPerTaskExecutor()) {
                    e.submit(() -> c.v = 1);
                }
                c.v++;
                try (ExecutorService e = Executors.newFixedThreadPool(2)) {
                    e.submit(() -> c.v++);
                }
                c.v++;
            });
        });
        races("newVirtualThreadPerTaskExecutor: before close", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            inTurn(() -> {
                try (ExecutorService e = Executors.newVirtualThreadPerTaskExecutor()) {
                    e.submit(() -> {
                        c.v = 1; // expect race
                        s.reach(1);
                    });
                    s.await(1);
                    c.v++; // expect race
                }
            });
        });
        races("newVirtualThreadPerTaskExecutor: two tasks", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            inTurn(() -> {
                try (ExecutorService e = Executors.newVirtualThreadPerTaskExecutor()) {
                    e.submit(() -> {
                        c.v = 1; // expect race
                        s.reach(1);
                    });
                    e.submit(() -> {
                        s.await(1);
                        c.v++; // expect race
                    });
                }
            });
        });
        ordered("Future.resultNow after get", () -> {
            Cell c = new Cell();
            inTurn(() -> {
                try (ExecutorService e = Executors.newVirtualThreadPerTaskExecutor()) {
                    Future<Cell> f = e.submit(() -> { c.v = 1; return c; });
                    f.get();
                    f.resultNow().v++;
                }
            });
        });
    }

    /** A scoped value is bound for one thread and its calls: it hands over nothing by itself. */
    private static void scoped() {
        ScopedValue<Cell> bound = ScopedValue.newInstance();
        ordered("ScopedValue: each thread binds its own", () -> {
            inTurn(
                    () -> ScopedValue.where(bound, new Cell()).run(() -> bound.get().v++),
                    () -> ScopedValue.where(bound, new Cell()).run(() -> bound.get().v++));
        });
        races("ScopedValue: two threads bind one object", () -> {
            Cell c = new Cell();
            inTurn(
                    () -> ScopedValue.where(bound, c).run(() -> bound.get().v++), // expect race
                    () -> ScopedValue.where(bound, c).run(() -> use(bound.get().v))); // expect race
        });
    }
}
