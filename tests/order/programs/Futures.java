package order;

import static order.Turns.check;
import static order.Turns.inTurn;
import static order.Turns.ordered;
import static order.Turns.races;
import static order.Turns.start;
import static order.Turns.use;

import invisible.Stage;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.FutureTask;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * CompletableFuture: what the completing thread did happens-before what follows the retrieval of the result (Future),
 * and before the functions that depend on it. Flow: what precedes submit happens-before the subscriber's onNext.
 */
final class Futures {
    static void run() {
        completion();
        exceptions();
        dependents();
        async();
        combined();
        timeouts();
        publishers();
    }

    /** The task's exception: {@code get} makes one of its own around it, whose constructor calls toString of this. */
    static final class Told extends RuntimeException {
        private static final long serialVersionUID = 1;
        String told;

        @Override
        public String getMessage() {
            return told;
        }
    }

    static final class ToldLate extends RuntimeException {
        private static final long serialVersionUID = 1;
        String told;

        @Override
        public String getMessage() {
            return told; // expect race
        }
    }

    private static void fails(FutureTask<Object> task) {
        try {
            task.get();
        } catch (ExecutionException expected) {
            check(expected.getMessage() != null);
        } catch (InterruptedException unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }

    private static void exceptions() {
        ordered("FutureTask: get asks the task's exception for its text", () -> {
            Told failure = new Told();
            FutureTask<Object> task = new FutureTask<>(() -> { failure.told = "x"; throw failure; });
            inTurn(task::run, () -> fails(task));
        });
        races("FutureTask: the exception's text is written when the task is done", () -> {
            ToldLate failure = new ToldLate();
            FutureTask<Object> task = new FutureTask<>(() -> { throw failure; });
            inTurn(
                    () -> { task.run(); failure.told = "x"; }, // expect race
                    () -> fails(task));
        });
    }

    private static void completion() {
        ordered("complete, join", () -> {
            CompletableFuture<String> f = new CompletableFuture<>();
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; f.complete("x"); }, () -> { f.join(); c.v++; });
        });
        ordered("complete, get, get with a time limit, getNow", () -> {
            CompletableFuture<String> f = new CompletableFuture<>();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; f.complete("x"); },
                    () -> { f.get(); use(c.v); },
                    () -> { f.get(1, TimeUnit.SECONDS); use(c.v); },
                    () -> { check(f.getNow("y").equals("x")); use(c.v); });
        });
        ordered("join that waits", () -> {
            CompletableFuture<String> f = new CompletableFuture<>();
            Cell c = new Cell();
            Thread t = start(() -> { f.join(); c.v++; });
            Stage.waits(t);
            inTurn(() -> { c.v = 1; f.complete("x"); });
            Stage.ended(t);
        });
        races("written after complete", () -> {
            CompletableFuture<String> f = new CompletableFuture<>();
            Cell c = new Cell();
            inTurn(
                    () -> { f.complete("x"); c.v = 1; }, // expect race
                    () -> { f.join(); c.v++; }); // expect race
        });
        races("another future", () -> {
            CompletableFuture<String> f = new CompletableFuture<>();
            CompletableFuture<String> g = CompletableFuture.completedFuture("y");
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; f.complete("x"); }, // expect race
                    () -> { g.join(); c.v++; }); // expect race
        });
        races("complete that came too late", () -> {
            CompletableFuture<String> f = new CompletableFuture<>();
            Cell c = new Cell();
            inTurn(
                    () -> f.complete("x"),
                    () -> { c.v = 1; check(!f.complete("y")); }, // expect race
                    () -> { f.join(); c.v++; }); // expect race
        });
        races("getNow of nothing", () -> {
            CompletableFuture<String> f = new CompletableFuture<>();
            CompletableFuture<String> g = new CompletableFuture<>();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; f.complete("x"); }, // expect race
                    () -> { check(g.getNow(null) == null); c.v++; }); // expect race
        });
        races("get that timed out", () -> {
            CompletableFuture<String> f = new CompletableFuture<>();
            Cell c = new Cell();
            inTurn(
                    () -> c.v = 1, // expect race
                    () -> {
                        try {
                            f.get(1, TimeUnit.MILLISECONDS);
                            check(false);
                        } catch (TimeoutException expected) {
                            c.v++; // expect race
                        }
                    });
        });
        ordered("completeExceptionally, join and get", () -> {
            CompletableFuture<String> f = new CompletableFuture<>();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; f.completeExceptionally(new IllegalStateException()); },
                    () -> {
                        try {
                            f.join();
                        } catch (CompletionException expected) {
                            use(c.v);
                        }
                    },
                    () -> {
                        try {
                            f.get();
                        } catch (ExecutionException expected) {
                            use(c.v);
                        }
                    });
        });
        ordered("the result itself", () -> {
            CompletableFuture<Cell> f = new CompletableFuture<>();
            inTurn(() -> { Cell c = new Cell(); c.v = 1; f.complete(c); }, () -> f.join().v++);
        });
    }

    private static void dependents() {
        ordered("thenAccept, run by the completing thread", () -> {
            CompletableFuture<String> f = new CompletableFuture<>();
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; f.thenAccept(x -> c.v++); }, () -> f.complete("x"));
        });
        races("thenAccept, written after it was given", () -> {
            CompletableFuture<String> f = new CompletableFuture<>();
            Cell c = new Cell();
            inTurn(
                    () -> {
                        f.thenAccept(x -> c.v++); // expect race
                        c.v = 1; // expect race
                    },
                    () -> f.complete("x"));
        });
        ordered("thenAccept of a completed future, run here", () -> {
            CompletableFuture<String> f = new CompletableFuture<>();
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; f.complete("x"); }, () -> f.thenAccept(x -> c.v++));
        });
        races("thenAccept of a completed future, written after complete", () -> {
            CompletableFuture<String> f = new CompletableFuture<>();
            Cell c = new Cell();
            inTurn(
                    () -> { f.complete("x"); c.v = 1; }, // expect race
                    () -> f.thenAccept(x -> c.v++)); // expect race
        });
        ordered("thenApply, thenRun, whenComplete, handle: one after the other", () -> {
            CompletableFuture<String> f = new CompletableFuture<>();
            Cell c = new Cell();
            CompletableFuture<Integer> last = f.thenApply(x -> c.v++).whenComplete((x, e) -> c.v++).handle((x, e) -> c.v++);
            inTurn(() -> { c.v = 1; f.complete("x"); }, () -> { last.join(); c.v++; });
        });
        ordered("exceptionally", () -> {
            CompletableFuture<Integer> f = new CompletableFuture<>();
            Cell c = new Cell();
            CompletableFuture<Integer> g = f.exceptionally(e -> c.v++);
            inTurn(() -> { c.v = 1; f.completeExceptionally(new IllegalStateException()); }, () -> { g.join(); c.v++; });
        });
        ordered("thenCompose", () -> {
            CompletableFuture<String> f = new CompletableFuture<>();
            CompletableFuture<String> g = new CompletableFuture<>();
            Cell c = new Cell();
            CompletableFuture<String> both = f.thenCompose(x -> g);
            inTurn(() -> f.complete("x"), () -> { c.v = 1; g.complete("y"); }, () -> { both.join(); c.v++; });
        });
    }

    private static void async() {
        ordered("supplyAsync, join", () -> {
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; CompletableFuture.supplyAsync(() -> c.v++).join(); c.v++; });
        });
        ordered("runAsync with an executor, get", () -> {
            ExecutorService e = Executors.newSingleThreadExecutor();
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; CompletableFuture.runAsync(() -> c.v++, e).get(); c.v++; });
            e.shutdown();
        });
        races("supplyAsync: written after", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            inTurn(() -> {
                CompletableFuture.supplyAsync(() -> {
                    s.await(1);
                    int old = c.v++; // expect race
                    s.reach(2);
                    return old;
                });
                c.v = 1; // expect race
                s.reach(1);
                s.await(2);
            });
        });
        races("runAsync: nobody joins", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            inTurn(() -> {
                CompletableFuture.runAsync(() -> {
                    c.v = 1; // expect race
                    s.reach(1);
                });
                s.await(1);
                c.v++; // expect race
            });
        });
        ordered("thenApplyAsync", () -> {
            ExecutorService e = Executors.newSingleThreadExecutor();
            Cell c = new Cell();
            inTurn(() -> {
                c.v = 1;
                CompletableFuture.supplyAsync(() -> c.v++).thenApplyAsync(x -> c.v++, e).thenAcceptAsync(x -> c.v++).join();
                c.v++;
            });
            e.shutdown();
        });
        races("thenRunAsync: its own thread", () -> {
            CompletableFuture<String> f = new CompletableFuture<>();
            Cell c = new Cell();
            Stage s = new Stage();
            inTurn(() -> {
                f.thenRunAsync(() -> {
                    s.await(1);
                    c.v++; // expect race
                    s.reach(2);
                });
                f.complete("x");
                c.v = 1; // expect race
                s.reach(1);
                s.await(2);
            });
        });
    }

    private static void timeouts() {
        ordered("completeOnTimeout: the value", () -> {
            CompletableFuture<Cell> f = new CompletableFuture<>();
            inTurn(
                    () -> { Cell c = new Cell(); c.v = 1; f.completeOnTimeout(c, 1, TimeUnit.MILLISECONDS); },
                    () -> f.join().v++);
        });
        races("completeOnTimeout: another value came first", () -> {
            CompletableFuture<String> f = new CompletableFuture<>();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; f.completeOnTimeout("late", 20, TimeUnit.SECONDS); }, // expect race
                    () -> f.complete("soon"),
                    () -> { check(f.join().equals("soon")); c.v++; }); // expect race
        });
        ordered("orTimeout: done in time", () -> {
            Cell c = new Cell();
            inTurn(() -> { CompletableFuture.runAsync(() -> c.v = 1).orTimeout(20, TimeUnit.SECONDS).join(); c.v++; });
        });
        races("orTimeout: not done in time", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            inTurn(() -> {
                CompletableFuture<Void> f = CompletableFuture.runAsync(() -> {
                    c.v = 1; // expect race
                    s.reach(1);
                    s.await(2);
                });
                s.await(1);
                try {
                    f.orTimeout(1, TimeUnit.MILLISECONDS).join();
                    check(false);
                } catch (CompletionException expected) {
                    c.v++; // expect race
                }
                s.reach(2);
            });
        });
        ordered("delayedExecutor", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            inTurn(() -> {
                c.v = 1;
                CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS).execute(() -> { c.v++; s.reach(1); });
                s.await(1);
            });
        });
        races("delayedExecutor: nobody waits", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            inTurn(() -> {
                CompletableFuture.delayedExecutor(1, TimeUnit.MILLISECONDS).execute(() -> {
                    c.v++; // expect race
                    s.reach(1);
                });
                s.await(1);
                c.v++; // expect race
            });
        });
        ordered("thenCompose: a function that is no lambda", () -> {
            CompletableFuture<String> inner = new CompletableFuture<>();
            CompletableFuture<String> f = new CompletableFuture<>();
            Cell c = new Cell();
            CompletableFuture<String> all = f.thenCompose(new Composing(inner));
            inTurn(() -> f.complete("x"), () -> { c.v = 1; inner.complete("y"); }, () -> { all.join(); c.v++; });
        });
    }

    static final class Composing implements java.util.function.Function<String, CompletableFuture<String>> {
        final CompletableFuture<String> inner;

        Composing(CompletableFuture<String> inner) {
            this.inner = inner;
        }

        @Override
        public CompletableFuture<String> apply(String x) {
            return inner;
        }
    }

    private static void combined() {
        ordered("thenCombine: both", () -> {
            CompletableFuture<String> f = new CompletableFuture<>();
            CompletableFuture<String> g = new CompletableFuture<>();
            Cell c = new Cell();
            Cell d = new Cell();
            CompletableFuture<Integer> both = f.thenCombine(g, (x, y) -> c.v + d.v);
            inTurn(() -> { c.v = 1; f.complete("x"); }, () -> { d.v = 1; g.complete("y"); }, () -> { both.join(); use(c.v + d.v); });
        });
        ordered("allOf: all", () -> {
            CompletableFuture<String> f = new CompletableFuture<>();
            CompletableFuture<String> g = new CompletableFuture<>();
            Cell c = new Cell();
            Cell d = new Cell();
            CompletableFuture<Void> all = CompletableFuture.allOf(f, g);
            inTurn(() -> { c.v = 1; f.complete("x"); }, () -> { d.v = 1; g.complete("y"); }, () -> { all.join(); use(c.v + d.v); });
        });
        ordered("anyOf: the one that won", () -> {
            CompletableFuture<String> f = new CompletableFuture<>();
            CompletableFuture<String> g = new CompletableFuture<>();
            Cell c = new Cell();
            CompletableFuture<Object> any = CompletableFuture.anyOf(f, g);
            inTurn(() -> { c.v = 1; f.complete("x"); }, () -> { any.join(); c.v++; });
        });
        races("anyOf: the one that came later", () -> {
            CompletableFuture<String> f = new CompletableFuture<>();
            CompletableFuture<String> g = new CompletableFuture<>();
            Cell c = new Cell();
            CompletableFuture<Object> any = CompletableFuture.anyOf(f, g);
            inTurn(
                    () -> f.complete("x"),
                    () -> { c.v = 1; g.complete("y"); }, // expect race
                    () -> { any.join(); c.v++; }); // expect race
        });
        ordered("anyOf: done before, and a task", () -> {
            CompletableFuture<String> f = new CompletableFuture<>();
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; f.complete("x"); }, () -> {
                CompletableFuture.anyOf(new CompletableFuture<>(), f).join();
                c.v++;
                CompletableFuture<Void> task = CompletableFuture.runAsync(() -> c.v++);
                CompletableFuture.anyOf(task, new CompletableFuture<>()).join();
                c.v++;
            });
        });
        races("anyOf: the second of two that were done before", () -> {
            CompletableFuture<String> f = new CompletableFuture<>();
            CompletableFuture<String> g = new CompletableFuture<>();
            Cell c = new Cell();
            inTurn(
                    () -> f.complete("x"),
                    () -> { c.v = 1; g.complete("y"); }, // expect race
                    () -> { CompletableFuture.anyOf(f, g).join(); c.v++; }); // expect race
        });
        races("acceptEither: the one that came later", () -> {
            CompletableFuture<String> f = new CompletableFuture<>();
            CompletableFuture<String> g = new CompletableFuture<>();
            Cell c = new Cell();
            CompletableFuture<Void> either = f.acceptEither(g, x -> use(x));
            inTurn(
                    () -> f.complete("x"),
                    () -> { c.v = 1; g.complete("y"); }, // expect race
                    () -> { either.join(); c.v++; }); // expect race
        });
        ordered("applyToEither, acceptEither, runAfterBoth", () -> {
            CompletableFuture<String> f = new CompletableFuture<>();
            CompletableFuture<String> g = new CompletableFuture<>();
            Cell c = new Cell();
            CompletableFuture<String> either = f.applyToEither(g, x -> x);
            CompletableFuture<Void> both = either.runAfterBoth(g, () -> c.v++);
            inTurn(() -> { c.v = 1; f.complete("x"); }, () -> g.complete("y"), () -> { both.join(); c.v++; });
        });
    }

    static final class Reader implements Flow.Subscriber<Cell> {
        final Stage s;
        int received;

        Reader(Stage s) {
            this.s = s;
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            received++;
            subscription.request(10);
        }

        @Override
        public void onNext(Cell item) {
            received++;
            item.v++;
            s.reach(1);
        }

        @Override
        public void onError(Throwable thrown) {}

        @Override
        public void onComplete() {
            received++;
            s.reach(2);
        }
    }

    static final class Late implements Flow.Subscriber<Cell> {
        final Stage s;

        Late(Stage s) {
            this.s = s;
        }

        @Override
        public void onSubscribe(Flow.Subscription subscription) {
            subscription.request(10);
        }

        @Override
        public void onNext(Cell item) {
            s.await(1);
            item.v++; // expect race
            s.reach(2);
        }

        @Override
        public void onError(Throwable thrown) {}

        @Override
        public void onComplete() {}
    }

    private static void publishers() {
        ordered("SubmissionPublisher: submit, onNext; one call of the subscriber and the next", () -> {
            Stage s = new Stage();
            inTurn(() -> {
                SubmissionPublisher<Cell> p = new SubmissionPublisher<>();
                p.subscribe(new Reader(s));
                Cell c = new Cell();
                c.v = 1;
                p.submit(c);
                s.await(1);
                p.close();
                s.await(2);
            });
        });
        races("SubmissionPublisher: written after submit", () -> {
            Stage s = new Stage();
            inTurn(() -> {
                SubmissionPublisher<Cell> p = new SubmissionPublisher<>();
                p.subscribe(new Late(s));
                Cell c = new Cell();
                p.submit(c);
                c.v = 1; // expect race
                s.reach(1);
                s.await(2);
                p.close();
            });
        });
    }
}
