package models;

import static models.Threads.silent;
import static models.Threads.two;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.stream.*;

/** Executors, their futures, and timers. Nothing is raced on. */
public class Pools {
    static class NamedTask implements Callable<Integer> {
        final List<Integer> list;
        NamedTask(List<Integer> list) {
            this.list = list;
        }
        public Integer call() {
            list.add(2);
            return list.size();
        }
    }
    static class NamedRunnable implements Runnable {
        final List<Integer> list;
        NamedRunnable(List<Integer> list) {
            this.list = list;
        }
        public void run() {
            list.add(2);
        }
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        // submit lambda
        {
            List<Integer> list = new ArrayList<>();
            list.add(0);
            Future<Integer> f = pool.submit(() -> {
                list.add(1);
                return 1;
            });
            f.get();
            list.add(2);
        }
        // submit named
        {
            List<Integer> list = new ArrayList<>();
            list.add(0);
            pool.submit(new NamedTask(list)).get();
            list.add(3);
        }
        // submit failing
        {
            List<Integer> list = new ArrayList<>();
            list.add(0);
            Future<?> f = pool.submit(() -> {
                list.add(1);
                throw new IllegalStateException();
            });
            try {
                f.get();
            } catch (ExecutionException e) {
                list.add(2);
            }
        }
        // execute named
        {
            List<Integer> list = new ArrayList<>();
            list.add(0);
            CountDownLatch l = new CountDownLatch(1);
            pool.execute(new NamedRunnable(list));
            pool.execute(l::countDown);
            l.await();
        }
        // isDone
        {
            List<Integer> list = new ArrayList<>();
            list.add(0);
            Future<?> f = pool.submit(() -> list.add(1));
            while (!f.isDone()) Thread.yield();
            list.add(2);
        }
        // invokeAll
        {
            List<Callable<Integer>> tasks = new ArrayList<>();
            List<List<Integer>> lists = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                List<Integer> l = new ArrayList<>();
                l.add(0);
                lists.add(l);
                tasks.add(i % 2 == 0 ? new NamedTask(l) : () -> {
                    l.add(1);
                    return 1;
                });
            }
            pool.invokeAll(tasks);
            for (List<Integer> l : lists) l.add(9);
        }
        // completion service
        {
            ExecutorCompletionService<List<Integer>> s = new ExecutorCompletionService<>(pool);
            for (int i = 0; i < 20; i++) s.submit(() -> {
                List<Integer> l = new ArrayList<>();
                l.add(1);
                return l;
            });
            for (int i = 0; i < 20; i++) s.take().get().add(2);
        }
        // future task
        {
            List<Integer> list = new ArrayList<>();
            list.add(0);
            FutureTask<Integer> f = new FutureTask<>(() -> {
                list.add(1);
                return 1;
            });
            list.add(5);
            pool.execute(f);
            f.get();
            list.add(2);
        }
        // future task named
        {
            List<Integer> list = new ArrayList<>();
            FutureTask<Integer> f = new FutureTask<>(new NamedTask(list));
            list.add(5);
            pool.execute(f);
            f.get();
            list.add(2);
        }
        // termination
        {
            List<Integer> list = new ArrayList<>();
            ExecutorService p = Executors.newSingleThreadExecutor();
            p.execute(() -> list.add(1));
            p.shutdown();
            p.awaitTermination(10, TimeUnit.SECONDS);
            list.add(2);
        }
        // scheduled
        {
            List<Integer> list = new ArrayList<>();
            ScheduledExecutorService s = Executors.newScheduledThreadPool(2);
            CountDownLatch l = new CountDownLatch(5);
            ScheduledFuture<?> f = s.scheduleAtFixedRate(() -> {
                list.add(1);
                l.countDown();
            }, 0, 1, TimeUnit.MILLISECONDS);
            l.await();
            f.cancel(false);
            s.schedule(() -> 1, 1, TimeUnit.MILLISECONDS).get();
            s.shutdown();
            s.awaitTermination(10, TimeUnit.SECONDS);
        }
        // timer
        {
            List<Integer> list = new ArrayList<>();
            list.add(0);
            Timer t = new Timer(true);
            CountDownLatch l = new CountDownLatch(1);
            t.schedule(new TimerTask() {
                public void run() {
                    list.add(1);
                    l.countDown();
                }
            }, 1);
            l.await();
            list.add(2);
            t.cancel();
        }
        pool.shutdown();
    }
}
