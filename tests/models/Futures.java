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

/** CompletableFuture, fork and join, parallel streams, Flow. Nothing is raced on. */
public class Futures {
    static class Sum extends RecursiveTask<Integer> {
        final List<Integer> list;
        final int depth;
        Sum(List<Integer> list, int depth) {
            this.list = list;
            this.depth = depth;
        }
        protected Integer compute() {
            if (depth == 0) {
                list.add(1);
                return list.size();
            }
            List<Integer> a = new ArrayList<>(), b = new ArrayList<>();
            a.add(0);
            b.add(0);
            Sum l = new Sum(a, depth - 1), r = new Sum(b, depth - 1);
            l.fork();
            int n = r.compute() + l.join();
            list.add(a.size() + b.size());
            return n;
        }
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        // supplyAsync
        {
            List<Integer> list = new ArrayList<>();
            list.add(0);
            CompletableFuture<Integer> f = CompletableFuture.supplyAsync(() -> {
                list.add(1);
                return 1;
            });
            f.thenApply(x -> {
                list.add(2);
                return 2;
            }).thenAcceptAsync(x -> list.add(3), pool).join();
            list.add(4);
        }
        // complete
        {
            CompletableFuture<List<Integer>> f = new CompletableFuture<>();
            two(() -> {
                List<Integer> l = new ArrayList<>();
                l.add(1);
                f.complete(l);
            }, () -> f.join().add(2));
        }
        // exceptionally
        {
            List<Integer> list = new ArrayList<>();
            list.add(0);
            CompletableFuture.supplyAsync(() -> {
                list.add(1);
                if (list.size() > 0) throw new IllegalStateException();
                return 1;
            }, pool) .thenApply(x -> x + 1).exceptionally(e -> {
                list.add(2);
                return 0;
            }).join();
            list.add(3);
        }
        // allOf
        {
            List<CompletableFuture<Void>> fs = new ArrayList<>();
            List<List<Integer>> lists = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                List<Integer> l = new ArrayList<>();
                lists.add(l);
                fs.add(CompletableFuture.runAsync(() -> l.add(1)));
            }
            CompletableFuture.allOf(fs.toArray(new CompletableFuture[0])).join();
            for (List<Integer> l : lists) l.add(2);
        }
        // thenCombine
        {
            List<Integer> a = new ArrayList<>(), b = new ArrayList<>();
            CompletableFuture<Integer> x = CompletableFuture.supplyAsync(() -> {
                a.add(1);
                return 1;
            }, pool), y = CompletableFuture.supplyAsync(() -> {
                b.add(1);
                return 1;
            }, pool);
            x.thenCombine(y, (p, q) -> {
                a.add(2);
                b.add(2);
                return 0;
            }).join();
            a.add(3);
            b.add(3);
        }
        // thenCompose
        {
            List<Integer> a = new ArrayList<>();
            CompletableFuture.supplyAsync(() -> 1, pool).thenCompose(x -> CompletableFuture.supplyAsync(() -> {
                a.add(1);
                return 2;
            }, pool)).join();
            a.add(3);
        }
        // fork join
        {
            List<Integer> list = new ArrayList<>();
            list.add(0);
            System.out.println(new ForkJoinPool(2).invoke(new Sum(list, 4)));
            list.add(1);
        }
        // parallel stream
        {
            List<List<Integer>> lists = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                List<Integer> l = new ArrayList<>();
                l.add(i);
                lists.add(l);
            }
            lists.parallelStream().map(l -> {
                l.add(1);
                return l;
            }).forEach(l -> l.add(2));
            lists.parallelStream().filter(l -> l.size() > 2).map(l -> {
                l.add(1);
                return l;
            }).collect(Collectors.toList()).get(0).add(1);
            for (List<Integer> l : lists) l.add(3);
            List<List<Integer>> made = IntStream.range(0, 100).parallel().mapToObj(i -> {
                List<Integer> l = new ArrayList<>();
                l.add(i);
                return l;
            }).collect(Collectors.toList());
            for (List<Integer> l : made) l.add(3);
            Map<Integer, List<List<Integer>>> grouped = made.parallelStream()
                    .collect(Collectors.groupingBy(l -> l.get(0) % 3));
            for (List<List<Integer>> l : grouped.values()) l.add(new ArrayList<>());
        }
        // flow
        {
            SubmissionPublisher<List<Integer>> p = new SubmissionPublisher<>();
            CountDownLatch l = new CountDownLatch(1);
            List<Integer> count = new ArrayList<>();
            p.subscribe(new Flow.Subscriber<List<Integer>>() {
                public void onSubscribe(Flow.Subscription s) {
                    count.add(0);
                    s.request(100);
                }
                public void onNext(List<Integer> i) {
                    count.add(1);
                    i.add(2);
                }
                public void onError(Throwable t) {
                }
                public void onComplete() {
                    count.add(2);
                    l.countDown();
                }
            });
            for (int i = 0; i < 10; i++) {
                List<Integer> x = new ArrayList<>();
                x.add(1);
                p.submit(x);
            }
            p.close();
            l.await();
            count.add(3);
        }
        pool.shutdown();
    }
}
