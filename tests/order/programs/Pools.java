package order;

import static order.Turns.check;
import static order.Turns.inTurn;
import static order.Turns.ordered;
import static order.Turns.races;
import static order.Turns.use;

import invisible.Stage;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionService;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionHandler;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.RunnableScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Pools by their own names, pools of the program's own, and interfaces of what they give. */
final class Pools {
    /** Runs each task in a new thread. */
    static final class PerTask extends AbstractExecutorService {
        private volatile boolean over;

        @Override
        public void execute(Runnable task) {
            new Thread(task).start();
        }

        @Override
        public void shutdown() {
            over = true;
        }

        @Override
        public List<Runnable> shutdownNow() {
            over = true;
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return over;
        }

        @Override
        public boolean isTerminated() {
            return over;
        }

        @Override
        public boolean awaitTermination(long time, TimeUnit unit) {
            return over;
        }
    }

    /** Counts what it runs. */
    static final class Counting extends ThreadPoolExecutor {
        int before;
        int after;

        Counting() {
            super(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(4));
        }

        @Override
        protected void beforeExecute(Thread thread, Runnable task) {
            before++;
        }

        @Override
        protected void afterExecute(Runnable task, Throwable thrown) {
            after++;
        }
    }

    static final class Handler implements RejectedExecutionHandler {
        int rejected;

        @Override
        public void rejectedExecution(Runnable task, ThreadPoolExecutor pool) {
            rejected++;
            task.run();
        }
    }

    static final class Worker extends ForkJoinWorkerThread {
        int made = 1;

        Worker(ForkJoinPool pool) {
            super(pool);
        }

        @Override
        protected void onStart() {
            made++;
            super.onStart();
        }
    }

    static void run() {
        pools();
        interfaces();
    }

    private static void pools() {
        ordered("ThreadPoolExecutor: execute, submit", () -> inTurn(() -> {
            ThreadPoolExecutor e = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(4));
            Cell c = new Cell();
            Stage s = new Stage();
            c.v = 1;
            e.execute(() -> { c.v++; s.reach(1); });
            s.await(1);
            Cell d = new Cell();
            e.submit(() -> d.v = 1).get();
            d.v++;
            e.shutdown();
        }));
        races("ThreadPoolExecutor: nobody waits", () -> inTurn(() -> {
            ThreadPoolExecutor e = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(4));
            Cell c = new Cell();
            Stage s = new Stage();
            e.execute(() -> { c.v = 1; s.reach(1); }); // expect race
            s.await(1);
            c.v++; // expect race
            e.shutdown();
        }));
        ordered("ThreadPoolExecutor: its own methods run in the thread of the task", () -> inTurn(() -> {
            Counting e = new Counting();
            Stage s = new Stage();
            e.execute(() -> {});
            e.submit(() -> {}).get();
            e.execute(() -> s.reach(1));
            s.await(1);
            e.shutdown();
        }));
        ordered("RejectedExecutionHandler: called by who submits", () -> inTurn(() -> {
            Handler h = new Handler();
            ThreadPoolExecutor e = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new ArrayBlockingQueue<>(1), h);
            Cell c = new Cell();
            e.shutdown();
            e.execute(() -> c.v++);
            use(h.rejected + c.v);
        }));
        ordered("ScheduledThreadPoolExecutor: schedule", () -> inTurn(() -> {
            ScheduledThreadPoolExecutor e = new ScheduledThreadPoolExecutor(1);
            Cell c = new Cell();
            c.v = 1;
            RunnableScheduledFuture<?> f = (RunnableScheduledFuture<?>) e.schedule(() -> c.v++, 1, TimeUnit.NANOSECONDS);
            f.get();
            c.v++;
            e.shutdown();
        }));
        races("ScheduledThreadPoolExecutor: nobody waits", () -> inTurn(() -> {
            ScheduledThreadPoolExecutor e = new ScheduledThreadPoolExecutor(1);
            Cell c = new Cell();
            Stage s = new Stage();
            e.schedule(() -> { c.v = 1; s.reach(1); }, 1, TimeUnit.NANOSECONDS); // expect race
            s.await(1);
            c.v++; // expect race
            e.shutdown();
        }));
        ordered("AbstractExecutorService: a pool of the program's own", () -> inTurn(() -> {
            PerTask e = new PerTask();
            Cell c = new Cell();
            c.v = 1;
            e.submit(() -> c.v++).get();
            c.v++;
        }));
        races("AbstractExecutorService: nobody waits", () -> inTurn(() -> {
            PerTask e = new PerTask();
            Cell c = new Cell();
            Stage s = new Stage();
            e.submit(() -> { c.v = 1; s.reach(1); }); // expect race
            s.await(1);
            c.v++; // expect race
        }));
        ordered("ForkJoinWorkerThread: made by its factory", () -> inTurn(() -> {
            ForkJoinPool e = new ForkJoinPool(1, Worker::new, null, false);
            Cell c = new Cell();
            e.submit(() -> c.v = 1).get();
            c.v++;
            e.shutdown();
        }));
        races("ForkJoinWorkerThread: what two tasks do in one thread is not ordered by it for others", () -> inTurn(() -> {
            ForkJoinPool e = new ForkJoinPool(1, Worker::new, null, false);
            Cell c = new Cell();
            Stage s = new Stage();
            e.execute(() -> { c.v = 1; s.reach(1); }); // expect race
            s.await(1);
            c.v++; // expect race
            e.shutdown();
        }));
    }

    private static void interfaces() {
        ordered("CompletionService: submit, take", () -> inTurn(() -> {
            ExecutorService e = Executors.newSingleThreadExecutor();
            CompletionService<Integer> s = new ExecutorCompletionService<>(e);
            Cell c = new Cell();
            s.submit(() -> c.v = 1);
            s.take();
            c.v++;
            e.shutdown();
        }));
        ordered("RunnableFuture: run, get", () -> {
            Cell c = new Cell();
            RunnableFuture<Integer> f = new FutureTask<>(() -> c.v = 1);
            inTurn(f::run, () -> { f.get(); c.v++; });
        });
        races("RunnableFuture: nobody gets", () -> {
            Cell c = new Cell();
            RunnableFuture<Integer> f = new FutureTask<>(() -> c.v = 1); // expect race
            inTurn(f::run, () -> c.v++); // expect race
        });
        ordered("CompletionStage: thenAccept", () -> {
            CompletableFuture<String> f = new CompletableFuture<>();
            Cell c = new Cell();
            CompletionStage<Void> s = f.thenAccept(x -> c.v++);
            inTurn(() -> { c.v = 1; f.complete("x"); }, () -> { s.toCompletableFuture().join(); c.v++; });
        });
        races("CompletionStage: nobody waits", () -> {
            CompletableFuture<String> f = new CompletableFuture<>();
            Cell c = new Cell();
            CompletionStage<Void> s = f.thenAccept(x -> c.v++); // expect race
            inTurn(() -> f.complete("x"), () -> { use(s); c.v++; }); // expect race
        });
        ordered("ConcurrentNavigableMap: put, firstEntry of a view", () -> {
            ConcurrentNavigableMap<String, Cell> m = new ConcurrentSkipListMap<>();
            inTurn(() -> { Cell c = new Cell(); c.v = 1; m.put("a", c); }, () -> m.headMap("b").firstEntry().getValue().v++);
        });
        races("ConcurrentNavigableMap: another element", () -> {
            ConcurrentNavigableMap<String, Cell> m = new ConcurrentSkipListMap<>();
            Cell c = new Cell();
            m.put("a", new Cell());
            inTurn(
                    () -> { c.v = 1; m.put("b", new Cell()); }, // expect race
                    () -> { check(m.headMap("b").firstEntry() != null); c.v++; }); // expect race
        });
        races("ThreadLocalRandom orders nothing", () -> {
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; use(ThreadLocalRandom.current().nextInt()); }, // expect race
                    () -> { use(ThreadLocalRandom.current().nextInt()); c.v++; }); // expect race
        });
    }

    private Pools() {}
}
