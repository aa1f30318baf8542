package order;

import static order.Turns.check;
import static order.Turns.inTurn;
import static order.Turns.ordered;
import static order.Turns.races;
import static order.Turns.use;

import invisible.Stage;
import java.util.ArrayList;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountedCompleter;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.RecursiveTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * ForkJoin: what precedes fork happens-before the task, the task before what follows its join. Parallel streams: what
 * precedes the terminal operation happens-before the functions, and those before its return; nothing orders the
 * functions among themselves.
 */
final class ForkJoin {
    interface Work {
        void run() throws Throwable;
    }

    static final class Action extends RecursiveAction {
        private final transient Work work;

        Action(Work work) {
            this.work = work;
        }

        @Override
        protected void compute() {
            Turns.call(work::run);
        }
    }

    static final class Sum extends RecursiveTask<Integer> {
        final Cell cell;
        private final transient Stage stage;

        /** The stage says that the task has run. */
        Sum(Cell cell, Stage stage) {
            this.cell = cell;
            this.stage = stage;
        }

        @Override
        protected Integer compute() {
            int sum = ++cell.v;
            stage.reach(1);
            return sum;
        }
    }

    static void run() {
        ForkJoinPool pool = new ForkJoinPool(4);
        tasks(pool);
        completers(pool);
        quiet();
        streams();
        sorts();
        pool.shutdown();
    }

    private static void tasks(ForkJoinPool pool) {
        ordered("ForkJoinPool.invoke", () -> {
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; use(pool.invoke(new Sum(c, new Stage()))); c.v++; });
        });
        ordered("ForkJoinPool.submit, join and get", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            inTurn(() -> { c.v = 1; pool.submit(new Sum(c, s)).join(); c.v++; pool.submit(new Sum(c, s)).get(); c.v++; });
        });
        races("ForkJoinPool.execute: nobody joins", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            inTurn(() -> {
                pool.execute(() -> {
                    c.v = 1; // expect race
                    s.reach(1);
                });
                s.await(1);
                c.v++; // expect race
            });
        });
        ordered("fork, join", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            inTurn(() -> pool.invoke(new Action(() -> {
                c.v = 1;
                ForkJoinTask<Integer> t = new Sum(c, s).fork();
                // Another thread has run it: joining would do so here.
                s.await(1);
                t.join();
                c.v++;
            })));
        });
        races("fork: written after", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            inTurn(() -> pool.invoke(new Action(() -> {
                new Action(() -> {
                    s.await(1);
                    c.v++; // expect race
                    s.reach(2);
                }).fork();
                c.v = 1; // expect race
                s.reach(1);
                s.await(2);
            })));
        });
        races("fork: nobody joins", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            inTurn(() -> pool.invoke(new Action(() -> {
                new Action(() -> {
                    c.v = 1; // expect race
                    s.reach(1);
                }).fork();
                s.await(1);
                c.v++; // expect race
            })));
        });
        ordered("invokeAll", () -> {
            Cell c = new Cell();
            Cell d = new Cell();
            Stage s = new Stage();
            inTurn(() -> pool.invoke(new Action(() -> {
                c.v = d.v = 1;
                ForkJoinTask.invokeAll(new Action(() -> { s.meet(2); c.v++; }), new Action(() -> { s.meet(2); d.v++; }));
                c.v = d.v = 2;
            })));
        });
        races("invokeAll: between its tasks", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            inTurn(() -> pool.invoke(new Action(() -> ForkJoinTask.invokeAll(
                    new Action(() -> {
                        c.v = 1; // expect race
                        s.reach(1);
                        s.await(2);
                    }),
                    new Action(() -> {
                        s.await(1);
                        c.v++; // expect race
                        s.reach(2);
                    })))));
        });
        ordered("adapt, quietlyJoin", () -> {
            Cell c = new Cell();
            inTurn(() -> { ForkJoinTask<?> t = pool.submit(ForkJoinTask.adapt(() -> c.v = 1)); t.quietlyJoin(); c.v++; });
        });
    }

    /** Adds one in two leaves; the last to come runs onCompletion. */
    static final class Count extends CountedCompleter<Void> {
        final Cell one;
        final Cell other;
        final Cell sum;
        private final transient Stage stage;
        final int depth;

        Count(CountedCompleter<?> parent, Cell one, Cell other, Cell sum, Stage stage, int depth) {
            super(parent);
            this.stage = stage;
            this.one = one;
            this.other = other;
            this.sum = sum;
            this.depth = depth;
        }

        @Override
        public void compute() {
            if (depth == 0) {
                setPendingCount(2);
                new Count(this, one, other, sum, stage, 1).fork();
                new Count(this, other, one, sum, stage, 1).fork();
            } else {
                stage.meet(2);
                one.v++;
            }
            tryComplete();
        }

        @Override
        public void onCompletion(CountedCompleter<?> caller) {
            if (depth == 0) {
                sum.v = one.v + other.v;
            }
        }
    }

    static final class Clash extends CountedCompleter<Void> {
        final Cell cell;
        final Stage stage;
        final int depth;

        Clash(CountedCompleter<?> parent, Cell cell, Stage stage, int depth) {
            super(parent);
            this.cell = cell;
            this.stage = stage;
            this.depth = depth;
        }

        @Override
        public void compute() {
            if (depth == 0) {
                setPendingCount(2);
                new Clash(this, cell, stage, 1).fork();
                new Clash(this, cell, stage, 2).fork();
            } else if (depth == 1) {
                cell.v = 1; // expect race
                stage.reach(1);
                stage.await(2);
            } else {
                stage.await(1);
                cell.v++; // expect race
                stage.reach(2);
            }
            tryComplete();
        }
    }

    private static void completers(ForkJoinPool pool) {
        ordered("CountedCompleter: the leaves, then onCompletion, then the join", () -> {
            Cell a = new Cell();
            Cell b = new Cell();
            Cell sum = new Cell();
            inTurn(() -> { pool.invoke(new Count(null, a, b, sum, new Stage(), 0)); use(sum.v); });
            check(sum.getClass() == Cell.class);
        });
        races("CountedCompleter: between the leaves", () -> {
            Cell c = new Cell();
            inTurn(() -> pool.invoke(new Clash(null, c, new Stage(), 0)));
        });
    }

    /** "Returns true if all worker threads are currently idle": what they did is done. */
    private static void quiet() {
        ForkJoinPool pool = new ForkJoinPool(4);
        ordered("awaitQuiescence", () -> {
            Cell c = new Cell();
            Cell forked = new Cell();
            Stage s = new Stage();
            inTurn(() -> {
                pool.execute(() -> {
                    s.reach(1);
                    c.v = 1;
                    ForkJoinTask.adapt(() -> { forked.v = 1; }).fork();
                });
                // Or it would be run by this thread.
                s.await(1);
                check(pool.awaitQuiescence(10, TimeUnit.SECONDS));
                c.v++;
                forked.v++;
            });
        });
        races("awaitQuiescence that timed out", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            inTurn(() -> {
                pool.execute(() -> {
                    c.v = 1; // expect race
                    s.reach(1);
                    s.await(2);
                });
                s.await(1);
                check(!pool.awaitQuiescence(1, TimeUnit.MILLISECONDS));
                c.v++; // expect race
                s.reach(2);
            });
        });
        races("awaitQuiescence, then another task", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            inTurn(() -> {
                pool.execute(() -> {});
                check(pool.awaitQuiescence(10, TimeUnit.SECONDS));
                pool.execute(() -> {
                    c.v = 1; // expect race
                    s.reach(1);
                });
                s.await(1);
                c.v++; // expect race
            });
        });
        ordered("isQuiescent said yes", () -> {
            Cell c = new Cell();
            inTurn(() -> {
                pool.execute(() -> c.v = 1);
                while (!pool.isQuiescent()) {
                    Thread.yield();
                }
                c.v++;
            });
        });
        pool.shutdown();
    }

    private static void streams() {
        ordered("parallel stream: mapMulti", () -> {
            Cell[] cells = {new Cell(), new Cell()};
            Stage s = new Stage();
            inTurn(() -> {
                cells[0].v = 1;
                List<Cell> all = java.util.Arrays.stream(cells).parallel()
                        .<Cell>mapMulti((c, out) -> { s.meet(2); c.v++; out.accept(c); }).collect(Collectors.toList());
                all.get(0).v++;
            });
        });
        races("parallel stream: mapMulti, one variable for all", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            inTurn(() -> use(List.of(1, 2).parallelStream().mapMulti((i, out) -> {
                s.meet(2);
                c.v++; // expect race
            }).count()));
        });
        ordered("parallel stream: before, within and after", () -> {
            Cell[] cells = {new Cell(), new Cell()};
            Stage s = new Stage();
            inTurn(() -> {
                for (Cell c : cells) {
                    c.v = 1;
                }
                java.util.Arrays.stream(cells).parallel().forEach(c -> { s.meet(2); c.v++; });
                for (Cell c : cells) {
                    c.v++;
                }
            });
        });
        races("parallel stream: one variable for all", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            inTurn(() -> IntStream.range(0, 2).parallel().forEach(i -> {
                s.meet(2);
                c.v++; // expect race
            }));
        });
        races("parallel stream: side effects in map", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            inTurn(() -> use(IntStream.range(0, 2).parallel().map(i -> {
                s.meet(2);
                return ++c.v; // expect race
            }).sum()));
        });
        ordered("parallel stream: reduce and collect", () -> {
            Cell[] cells = {new Cell(), new Cell()};
            Stage s = new Stage();
            inTurn(() -> {
                use(java.util.Arrays.stream(cells).parallel().map(c -> { s.meet(2); return ++c.v; }).reduce(0, Integer::sum));
                List<Cell> all = java.util.Arrays.stream(cells).parallel().collect(Collectors.toList());
                for (Cell c : all) {
                    c.v++;
                }
            });
        });
        ordered("parallel stream: an accumulator of each thread's own", () -> inTurn(() -> {
            Cell sum = IntStream.range(0, 8).parallel().collect(Cell::new, (c, i) -> c.v += i, (a, b) -> a.v += b.v);
            use(sum.v);
        }));
        races("parallel stream: collected into one list", () -> {
            List<Integer> all = new ArrayList<>();
            Stage s = new Stage();
            inTurn(() -> IntStream.range(0, 2).parallel().forEach(i -> {
                s.meet(2);
                add(all, i, s);
            }));
        });
        ordered("parallel stream: collected into a synchronized list", () -> {
            List<Integer> all = Collections.synchronizedList(new ArrayList<>());
            inTurn(() -> IntStream.range(0, 2).parallel().forEach(all::add));
        });
    }

    /** One after the other in time, so that the list survives. */
    private static void add(List<Integer> all, int i, Stage s) {
        if (i == 1) {
            s.await(3);
        }
        all.add(i); // expect race
        s.reach(3);
    }

    private static void sorts() {
        ordered("Arrays.parallelSort, parallelSetAll, parallelPrefix", () -> {
            int[] a = new int[20_000];
            inTurn(() -> {
                a[0] = 1;
                java.util.Arrays.parallelSetAll(a, i -> 20_000 - i);
                java.util.Arrays.parallelSort(a);
                java.util.Arrays.parallelPrefix(a, Integer::sum);
                a[1]++;
            });
        });
        races("Arrays.parallelSort: nobody waits for who sorted", () -> {
            int[] a = new int[16];
            inTurn(
                    () -> java.util.Arrays.parallelSort(a), // expect race
                    () -> a[1]++); // expect race
        });
    }
}
