package order;

import static java.util.concurrent.Executors.newCachedThreadPool;
import static java.util.concurrent.Executors.newFixedThreadPool;
import static java.util.concurrent.Executors.newSingleThreadExecutor;
import static java.util.concurrent.Executors.newSingleThreadScheduledExecutor;
import static order.Turns.check;
import static order.Turns.inTurn;
import static order.Turns.ordered;
import static order.Turns.races;
import static order.Turns.use;

import invisible.Stage;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * What precedes the submission of a task happens-before its execution, and what the task does happens-before what
 * follows the retrieval of its result by Future.get (Executor, ExecutorService, Future).
 */
final class Executors {
    interface Use {
        void with(ExecutorService executor, Stage s) throws Exception;
    }

    /** Runs in a thread of its own: what it learns from the executor, no other case knows. */
    private static void in(ExecutorService executor, Use use) {
        inTurn(() -> use.with(executor, new Stage()));
        executor.shutdown();
    }

    /** Made by whoever comes to the pool, started by the pool. */
    static final class Named extends Thread {
        final Stage s;
        int number;
        int later;

        Named(Runnable task, Stage s) {
            super(task);
            this.s = s;
            number = 1;
        }

        @Override
        public void run() {
            number++;
            s.await(1);
            later++; // expect race
            super.run();
            s.reach(2);
        }
    }

    static final class Factory implements ThreadFactory {
        final Stage s;
        Named made;

        Factory(Stage s) {
            this.s = s;
        }

        @Override
        public Thread newThread(Runnable task) {
            made = new Named(task, s);
            return made;
        }
    }

    static void run() {
        factories();
        submission();
        results();
        many();
        ends();
        scheduled();
        futureTasks();
    }

    private static void factories() {
        ordered("ThreadFactory: what it did, and the thread that it made", () -> inTurn(() -> {
            Stage s = new Stage();
            ExecutorService e = newFixedThreadPool(1, task -> new Named(task, s));
            s.reach(1);
            e.execute(() -> {});
            e.shutdown();
            s.await(2);
        }));
        races("ThreadFactory: what came after", () -> inTurn(() -> {
            Stage s = new Stage();
            Factory factory = new Factory(s);
            ExecutorService e = newSingleThreadExecutor(factory);
            e.execute(() -> {});
            factory.made.later = 1; // expect race
            s.reach(1);
            e.shutdown();
            s.await(2);
        }));
    }

    private static void submission() {
        ordered("execute", () -> in(newSingleThreadExecutor(), (e, s) -> {
            Cell c = new Cell();
            c.v = 1;
            e.execute(() -> { c.v++; s.reach(1); });
            s.await(1);
        }));
        races("execute: written after", () -> in(newSingleThreadExecutor(), (e, s) -> {
            Cell c = new Cell();
            e.execute(() -> {
                s.await(1);
                c.v++; // expect race
                s.reach(2);
            });
            c.v = 1; // expect race
            s.reach(1);
            s.await(2);
        }));
        ordered("an Executor of the program", () -> {
            Executor direct = Runnable::run;
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; direct.execute(() -> c.v++); use(c.v); });
        });
        ordered("tasks of one thread, one after the other", () -> in(newSingleThreadExecutor(), (e, s) -> {
            Cell c = new Cell();
            e.execute(() -> c.v = 1);
            e.execute(() -> { c.v++; s.reach(1); });
            s.await(1);
        }));
        races("tasks of two threads", () -> in(newFixedThreadPool(2), (e, s) -> {
            Cell c = new Cell();
            e.execute(() -> {
                c.v = 1; // expect race
                s.reach(1);
                s.await(3);
            });
            e.execute(() -> {
                s.await(1);
                c.v++; // expect race
                s.reach(2);
            });
            s.await(2);
            s.reach(3);
        }));
        ordered("a task submitted by a task", () -> in(newFixedThreadPool(2), (e, s) -> {
            Cell c = new Cell();
            e.execute(() -> {
                c.v = 1;
                e.execute(() -> { c.v++; s.reach(1); });
                s.await(1);
            });
            s.await(1);
        }));
    }

    private static void results() {
        ordered("submit(Callable), get", () -> in(newSingleThreadExecutor(), (e, s) -> {
            Cell c = new Cell();
            c.v = 1;
            Future<Integer> f = e.submit(() -> c.v++);
            f.get();
            c.v++;
        }));
        ordered("submit(Runnable), get with a time limit", () -> in(newCachedThreadPool(), (e, s) -> {
            Cell c = new Cell();
            Future<?> f = e.submit((Runnable) () -> c.v = 1);
            f.get(10, TimeUnit.SECONDS);
            c.v++;
        }));
        ordered("submit(Runnable, result), get", () -> in(newSingleThreadExecutor(), (e, s) -> {
            Cell c = new Cell();
            use(e.submit(() -> c.v = 1, c).get().v);
        }));
        races("submit: nobody gets", () -> in(newSingleThreadExecutor(), (e, s) -> {
            Cell c = new Cell();
            e.submit(() -> {
                c.v = 1; // expect race
                s.reach(1);
            });
            s.await(1);
            c.v++; // expect race
        }));
        races("submit: the result of another task", () -> in(newFixedThreadPool(2), (e, s) -> {
            Cell c = new Cell();
            Future<?> other = e.submit(() -> s.await(1));
            e.submit(() -> {
                c.v = 1; // expect race
                s.reach(1);
            });
            other.get();
            c.v++; // expect race
        }));
        races("get that timed out", () -> in(newSingleThreadExecutor(), (e, s) -> {
            Cell c = new Cell();
            Future<?> f = e.submit(() -> {
                c.v = 1; // expect race
                s.reach(1);
                s.await(2);
            });
            s.await(1);
            try {
                f.get(1, TimeUnit.MILLISECONDS);
                check(false);
            } catch (TimeoutException expected) {
                c.v++; // expect race
            }
            s.reach(2);
        }));
        ordered("get of a task that failed", () -> in(newSingleThreadExecutor(), (e, s) -> {
            Cell c = new Cell();
            Future<?> f = e.submit(() -> { c.v = 1; throw new IllegalStateException(); });
            try {
                f.get();
                check(false);
            } catch (ExecutionException expected) {
                c.v++;
            }
        }));
        // A task that is cancelled may go on running; that it is cancelled tells nothing of what it did.
        races("get of a task that was cancelled", () -> in(newSingleThreadExecutor(), (e, s) -> {
            Cell c = new Cell();
            Future<?> f = e.submit(() -> {
                c.v = 1; // expect race
                s.reach(1);
                s.await(2);
            });
            s.await(1);
            f.cancel(false);
            try {
                f.get();
                check(false);
            } catch (CancellationException expected) {
                c.v++; // expect race
            }
            s.reach(2);
        }));
        ordered("get by a thread that submitted nothing", () -> {
            ExecutorService e = newSingleThreadExecutor();
            Cell c = new Cell();
            Future<?> f = e.submit(() -> c.v = 1);
            inTurn(() -> { f.get(); c.v++; });
            e.shutdown();
        });
    }

    private static void many() {
        ordered("invokeAll", () -> in(newFixedThreadPool(2), (e, s) -> {
            Cell c = new Cell();
            Cell d = new Cell();
            for (Future<Integer> f : e.invokeAll(List.<Callable<Integer>>of(() -> c.v = 1, () -> d.v = 1))) {
                use(f.get());
            }
            use(c.v + d.v);
        }));
        races("invokeAll: between its tasks", () -> in(newFixedThreadPool(2), (e, s) -> {
            Cell c = new Cell();
            e.invokeAll(List.of(
                    () -> {
                        c.v = 1; // expect race
                        s.reach(1);
                        s.await(2);
                        return 1;
                    },
                    () -> {
                        s.await(1);
                        c.v++; // expect race
                        s.reach(2);
                        return 2;
                    }));
        }));
        ordered("invokeAny: the one that won", () -> in(newFixedThreadPool(2), (e, s) -> {
            Cell c = new Cell();
            e.invokeAny(List.of(() -> c.v = 1));
            use(c.v);
        }));
        ordered("ExecutorCompletionService: take", () -> in(newFixedThreadPool(2), (e, s) -> {
            ExecutorCompletionService<Integer> done = new ExecutorCompletionService<>(e);
            Cell c = new Cell();
            c.v = 1;
            done.submit(() -> c.v++);
            done.take();
            c.v++;
        }));
        races("ExecutorCompletionService: the take of another task", () -> in(newFixedThreadPool(2), (e, s) -> {
            ExecutorCompletionService<Integer> done = new ExecutorCompletionService<>(e);
            Cell c = new Cell();
            done.submit(() -> {
                c.v = 1; // expect race
                s.reach(1);
                s.await(3);
                return 1;
            });
            done.submit(() -> {
                s.await(1);
                return 2;
            });
            check(done.take().get() == 2);
            c.v++; // expect race
            s.reach(3);
        }));
    }

    /**
     * awaitTermination and isTerminated: ExecutorService does not say so, but that its tasks have ended is what they
     * are asked for, and what their implementations order.
     */
    private static void ends() {
        ordered("awaitTermination", () -> {
            Cell c = new Cell();
            inTurn(() -> {
                ExecutorService e = newFixedThreadPool(2);
                e.execute(() -> c.v = 1);
                e.shutdown();
                check(e.awaitTermination(10, TimeUnit.SECONDS));
                c.v++;
            });
        });
        ordered("isTerminated said yes", () -> {
            Cell c = new Cell();
            inTurn(() -> {
                ExecutorService e = newFixedThreadPool(2);
                e.execute(() -> c.v = 1);
                e.shutdown();
                while (!e.isTerminated()) {
                    Thread.yield();
                }
                c.v++;
            });
        });
        races("awaitTermination that timed out", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            inTurn(() -> {
                ExecutorService e = newFixedThreadPool(2);
                e.execute(() -> {
                    c.v = 1; // expect race
                    s.reach(1);
                    s.await(2);
                });
                e.shutdown();
                s.await(1);
                check(!e.awaitTermination(1, TimeUnit.MILLISECONDS));
                c.v++; // expect race
                s.reach(2);
            });
        });
        races("shutdown does not wait", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            inTurn(() -> {
                ExecutorService e = newFixedThreadPool(2);
                e.execute(() -> {
                    c.v = 1; // expect race
                    s.reach(1);
                });
                s.await(1);
                e.shutdown();
                c.v++; // expect race
            });
        });
    }

    private static void scheduled() {
        ordered("schedule, get", () -> in(newSingleThreadScheduledExecutor(), (e, s) -> {
            Cell c = new Cell();
            c.v = 1;
            ScheduledFuture<Integer> f = ((ScheduledExecutorService) e).schedule(() -> c.v++, 1, TimeUnit.MILLISECONDS);
            f.get();
            c.v++;
        }));
        races("schedule: written after", () -> in(newSingleThreadScheduledExecutor(), (e, s) -> {
            Cell c = new Cell();
            ((ScheduledExecutorService) e).schedule(() -> {
                s.await(1);
                c.v++; // expect race
                s.reach(2);
            }, 1, TimeUnit.MICROSECONDS);
            c.v = 1; // expect race
            s.reach(1);
            s.await(2);
        }));
        // "Successive executions of a periodic task do not overlap", and each happens-before the next.
        ordered("scheduleAtFixedRate: one run and the next", () -> in(newSingleThreadScheduledExecutor(), (e, s) -> {
            Cell c = new Cell();
            c.v = 1;
            Future<?> f = ((ScheduledExecutorService) e).scheduleAtFixedRate(() -> { c.v++; s.reach(c.v); }, 0, 1, TimeUnit.MILLISECONDS);
            s.await(3);
            f.cancel(false);
        }));
        races("scheduleWithFixedDelay: cancelling orders nothing", () -> in(newSingleThreadScheduledExecutor(), (e, s) -> {
            Cell c = new Cell();
            Future<?> f = ((ScheduledExecutorService) e).scheduleWithFixedDelay(() -> {
                c.v = 1; // expect race
                s.reach(1);
                s.await(2);
            }, 0, 1, TimeUnit.MILLISECONDS);
            s.await(1);
            f.cancel(false);
            c.v++; // expect race
            s.reach(2);
        }));
    }

    private static void futureTasks() {
        ordered("FutureTask: run, get", () -> {
            Cell c = new Cell();
            FutureTask<Integer> t = new FutureTask<>(() -> c.v = 1);
            inTurn(t::run, () -> { t.get(); c.v++; });
        });
        races("FutureTask: written after run", () -> {
            Cell c = new Cell();
            FutureTask<Integer> t = new FutureTask<>(() -> 1);
            inTurn(
                    () -> { t.run(); c.v = 1; }, // expect race
                    () -> { t.get(); c.v++; }); // expect race
        });
        // done() is called by whoever completes the task.
        ordered("FutureTask: done", () -> {
            Cell c = new Cell();
            FutureTask<Integer> t = new FutureTask<>(() -> c.v = 1) {
                @Override
                protected void done() {
                    c.v++;
                }
            };
            inTurn(t::run);
        });
        ordered("FutureTask in a Thread", () -> {
            Cell c = new Cell();
            FutureTask<Integer> t = new FutureTask<>(() -> c.v = 1);
            inTurn(() -> { new Thread(t).start(); t.get(); c.v++; });
        });
        races("FutureTask in a Thread: nobody gets", () -> {
            Cell c = new Cell();
            FutureTask<Integer> t = new FutureTask<>(() -> c.v = 1); // expect race
            inTurn(() -> {
                Thread thread = new Thread(t);
                thread.start();
                Stage.ended(thread);
                c.v++; // expect race
            });
        });
    }
}
