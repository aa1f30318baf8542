import java.util.Arrays;
import java.util.concurrent.CyclicBarrier;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** The part of {@link Micro} about states: the first access of a variable, hand-overs, two threads at once. */
final class MicroThreads {
    private static final int FRESH = 200_000;

    static final class Item {
        int value;
    }

    /** Fields two threads use together: in one cache line, as fields of one object are. */
    static final class Pair {
        int first;
        int second;
        final Apart firstLock = new Apart();
        final Apart secondLock = new Apart();
    }

    /** A lock longer than a cache line, so that two of them never share one. */
    static final class Apart {
        long gap1;
        long gap2;
        long gap3;
        long gap4;
        long gap5;
        long gap6;
        long gap7;
        long gap8;
    }

    private MicroThreads() {}

    static void transitions() throws Exception {
        // More rounds than elsewhere: each brings its loops only a few hundred calls nearer to being compiled.
        int rounds = Micro.rounds * 3;
        long best = Long.MAX_VALUE;
        for (int round = 0; round < rounds; round++) {
            Item[] items = items();
            long begin = System.nanoTime();
            write(items);
            best = Math.min(best, System.nanoTime() - begin);
            Micro.use(sum(items));
        }
        Micro.report("first-access", best, FRESH);

        // A thread that is started after the writes sees them: a hand-over.
        best = Long.MAX_VALUE;
        for (int round = 0; round < rounds; round++) {
            Item[] items = items();
            write(items);
            Timed reader = new Timed(() -> sum(items));
            reader.start();
            best = Math.min(best, reader.nanos());
        }
        Micro.report("hand-over-by-start", best, FRESH);

        // A thread that is there already gets them under a lock: the variables become shared.
        best = Long.MAX_VALUE;
        for (int round = 0; round < rounds; round++) {
            Item[] items = items();
            Object lock = new Object();
            CyclicBarrier written = new CyclicBarrier(2);
            Timed reader = new Timed(() -> sumUnder(lock, items), written);
            reader.start();
            writeUnder(lock, items);
            written.await();
            best = Math.min(best, reader.nanos());
        }
        Micro.report("hand-over-by-lock", best, FRESH);
    }

    private static Item[] items() {
        Item[] items = new Item[FRESH];
        for (int i = 0; i < FRESH; i++) {
            items[i] = new Item();
        }
        return items;
    }

    private static void write(Item[] items) {
        for (int from = 0; from < items.length; from += Micro.LOOP) {
            write(items, from, from + Micro.LOOP);
        }
    }

    private static void write(Item[] items, int from, int to) {
        for (int i = from; i < to; i++) {
            items[i].value = i;
        }
    }

    private static long sum(Item[] items) {
        long sum = 0;
        for (int from = 0; from < items.length; from += Micro.LOOP) {
            sum += sum(items, from, from + Micro.LOOP);
        }
        return sum;
    }

    private static long sum(Item[] items, int from, int to) {
        long sum = 0;
        for (int i = from; i < to; i++) {
            sum += items[i].value;
        }
        return sum;
    }

    private static void writeUnder(Object lock, Item[] items) {
        synchronized (lock) {
            write(items);
        }
    }

    private static long sumUnder(Object lock, Item[] items) {
        synchronized (lock) {
            return sum(items);
        }
    }

    static void sharing() throws Exception {
        int calls = Micro.CALLS;
        int n = Micro.LOOP;
        both("two-read-shared", 2, calls, MicroThreads::pair, p -> read(p, n), p -> read(p, n));
        int pairs = calls / 10;
        both("two-own-field-own-lock", 1, pairs, MicroThreads::pair, p -> addFirst(p, n), p -> addSecond(p, n));
        both("two-one-field-one-lock", 1, pairs, MicroThreads::pair, p -> addFirst(p, n), p -> addFirst(p, n));
    }

    private static Pair pair() {
        Pair pair = new Pair();
        pair.first = 1;
        pair.second = 2;
        return pair;
    }

    private static long read(Pair pair, int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) {
            sum += pair.first + pair.second * Micro.fence;
        }
        return sum;
    }

    private static long addFirst(Pair pair, int n) {
        for (int i = 0; i < n; i++) {
            synchronized (pair.firstLock) {
                pair.first++;
            }
        }
        return n;
    }

    private static long addSecond(Pair pair, int n) {
        for (int i = 0; i < n; i++) {
            synchronized (pair.secondLock) {
                pair.second++;
            }
        }
        return n;
    }

    /**
     * Two threads that begin together; the slower one counts. ns per operation of one thread, the median of the rounds:
     * the best one would be that in which the threads happened not to meet.
     */
    private static void both(
            String name, int each, int calls, Supplier<Pair> data, ToLongFunction<Pair> one, ToLongFunction<Pair> two)
            throws Exception {
        long[] nanos = new long[Micro.rounds];
        for (int round = 0; round < nanos.length; round++) {
            Pair pair = data.get();
            CyclicBarrier begin = new CyclicBarrier(2);
            Timed first = new Timed(() -> often(calls, pair, one), begin);
            Timed second = new Timed(() -> often(calls, pair, two), begin);
            first.start();
            second.start();
            nanos[round] = Math.max(first.nanos(), second.nanos());
        }
        Arrays.sort(nanos);
        Micro.report(name, nanos[nanos.length / 2], (long) each * calls * Micro.LOOP);
    }

    private static long often(int calls, Pair pair, ToLongFunction<Pair> loop) {
        long sum = 0;
        for (int i = 0; i < calls; i++) {
            sum += loop.applyAsLong(pair);
        }
        return sum;
    }

    interface Task {
        long run();
    }

    /** A thread that times its own work, so that starting it does not count. */
    static final class Timed extends Thread {
        private final Task task;
        private final CyclicBarrier begin;
        private volatile long nanos;
        private volatile long result;

        Timed(Task task) {
            this(task, new CyclicBarrier(1));
        }

        Timed(Task task, CyclicBarrier begin) {
            this.task = task;
            this.begin = begin;
        }

        @Override
        public void run() {
            try {
                begin.await();
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
            long start = System.nanoTime();
            result = task.run();
            nanos = System.nanoTime() - start;
        }

        long nanos() throws InterruptedException {
            join();
            Micro.use(result);
            return nanos;
        }
    }
}
