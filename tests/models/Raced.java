package models;

import java.text.SimpleDateFormat;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;

/** Containers that are not thread-safe, and hand-overs that hand nothing over. */
public class Raced {
    interface Body {
        void run() throws Exception;
    }

    /** One after the other in time, and yet in no order that Java knows. */
    static void unordered(Body one, Body other) throws Exception {
        AtomicInteger done = new AtomicInteger();
        Thread thread = new Thread(() -> {
            try {
                one.run();
            } catch (Exception e) {
                throw new AssertionError(e);
            }
            done.setPlain(1);
        });
        thread.start();
        while (done.getPlain() == 0) {
            Thread.sleep(1);
        }
        other.run();
        thread.join();
    }

    public static void main(String[] args) throws Exception {
        List<Integer> list = new ArrayList<>();
        unordered(
                () -> list.add(1), // expect race
                () -> list.add(2)); // expect race
        Map<Integer, Integer> map = new HashMap<>();
        unordered(
                () -> map.put(1, 1), // expect race
                () -> map.get(2)); // expect race
        Map<Integer, Integer> shown = new TreeMap<>();
        shown.put(0, 0);
        Iterator<Integer> keys = shown.keySet().iterator();
        unordered(
                () -> shown.put(1, 1), // expect race
                () -> keys.hasNext()); // expect race
        Set<Integer> set = new HashSet<>();
        set.add(1);
        unordered(
                () -> set.iterator().next(), // expect race
                () -> set.add(2)); // expect race
        List<Integer> part = new ArrayList<>(Arrays.asList(1, 2, 3)).subList(0, 2);
        unordered(
                () -> part.set(0, 1), // expect race
                () -> part.get(0)); // expect race
        Deque<Integer> deque = new ArrayDeque<>();
        unordered(
                () -> deque.push(1), // expect race
                () -> deque.poll()); // expect race
        StringBuilder text = new StringBuilder();
        unordered(
                () -> text.append(1), // expect race
                () -> text.length()); // expect race
        SimpleDateFormat format = new SimpleDateFormat("yyyy");
        unordered(
                () -> format.format(new Date(0)), // expect race
                () -> format.parse("2000")); // expect race
        Map<Integer, Integer> latest = new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<Integer, Integer> eldest) {
                return size() > 10;
            }
        };
        unordered(
                () -> latest.put(1, 1), // expect race
                () -> latest.get(1)); // expect race

        // A queue orders the put of an element with its take, not everything with everything.
        List<Integer> beside = new ArrayList<>();
        BlockingQueue<String> queue = new LinkedBlockingQueue<>();
        queue.add("mine");
        unordered(
                () -> {
                    beside.add(1); // expect race
                    queue.add("yours");
                },
                () -> {
                    queue.take();
                    beside.add(2); // expect race
                });
        // The future of another task.
        ExecutorService pool = Executors.newFixedThreadPool(2);
        List<Integer> other = new ArrayList<>();
        unordered(
                () -> pool.submit(() -> other.add(1)).get(), // expect race
                () -> {
                    pool.submit(() -> 1).get();
                    other.add(2); // expect race
                });
        pool.shutdown();
        // A later phase does not order an earlier one.
        Phaser phaser = new Phaser(1);
        List<Integer> phase = new ArrayList<>();
        int first = phaser.arrive();
        unordered(
                () -> {
                    phase.add(1); // expect race
                    phaser.arrive();
                },
                () -> {
                    phaser.awaitAdvance(first);
                    phase.add(2); // expect race
                });
        // A latch that was not waited for long enough.
        CountDownLatch latch = new CountDownLatch(2);
        List<Integer> early = new ArrayList<>();
        unordered(
                () -> {
                    early.add(1); // expect race
                    latch.countDown();
                },
                () -> {
                    latch.await(1, TimeUnit.MILLISECONDS);
                    early.add(2); // expect race
                });
    }
}
