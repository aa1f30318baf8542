import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * Single operations, in ns: {@code racewire-micro <name> <ns per operation>} on stderr, the best of several rounds.
 * What weaving costs is the difference to the unwoven run. Loops that one thread runs alone are here, those of two
 * threads in {@link MicroThreads}.
 *
 * <p>To be run with {@code -XX:-EliminateLocks}: HotSpot merges the locks of unrolled unwoven loops, and the difference
 * would then be that to no lock at all. Loops are short and called often, so that they are compiled as methods are, not
 * replaced in the middle of a run.
 */
public final class Micro {
    static final int LOOP = 1_000;
    static final int CALLS = 20_000;
    private static final int DEFAULT_ROUNDS = 12;

    static int rounds = DEFAULT_ROUNDS;
    private static long checksum;

    /** Read between two accesses it keeps the compiler from moving anything across; it is always 1. */
    static volatile int fence = 1;

    private static long total;

    static final class Cell {
        int value;

        long hot(int n) {
            for (int i = 0; i < n; i++) {
                this.value += i;
            }
            return value;
        }

        long betweenVolatiles(int n) {
            for (int i = 0; i < n; i++) {
                this.value += fence;
            }
            return value;
        }

        long betweenCalls(int n, Step[] steps) {
            int results = 0;
            for (int i = 0; i < n; i++) {
                this.value += i;
                results += steps[i & 3].next(i);
            }
            return value + results;
        }
    }

    /** With four implementations a call is not inlined: for all the compiler knows it changes every field. */
    interface Step {
        int next(int i);
    }

    static final class Link {
        Link next;
        int value;
    }

    private Micro() {}

    public static void main(String[] args) throws Exception {
        if (args.length > 0) {
            rounds = Integer.parseInt(args[0]);
        }
        fields();
        statics();
        locks();
        MicroThreads.transitions();
        MicroThreads.sharing();
        System.out.println("checksum " + checksum);
    }

    private static void fields() {
        // A read and a write per turn of the loop.
        long accesses = 2L * LOOP * CALLS;
        repeat("field-hot", accesses, Cell::new, cell -> cell.hot(LOOP));
        repeat("field-hostile-volatile", accesses, Cell::new, cell -> cell.betweenVolatiles(LOOP));
        Step[] steps = {i -> i + 1, i -> i ^ 5, i -> i - 3, i -> i & 7};
        repeat("field-hostile-call", accesses, Cell::new, cell -> cell.betweenCalls(LOOP, steps));
        // Two reads and a write per turn.
        repeat("field-linked", 3L * LOOP * CALLS, Micro::ring, link -> chase(link, LOOP));
    }

    /** Linked objects in random order, few enough for the first cache in every variant. */
    private static Link ring() {
        Link[] links = new Link[256];
        for (int i = 0; i < links.length; i++) {
            links[i] = new Link();
        }
        SplittableRandom random = new SplittableRandom(1);
        for (int i = links.length - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            Link swapped = links[i];
            links[i] = links[other];
            links[other] = swapped;
        }
        for (int i = 0; i < links.length; i++) {
            links[i].next = links[(i + 1) % links.length];
        }
        return links[0];
    }

    private static long chase(Link from, int n) {
        Link link = from;
        for (int i = 0; i < n; i++) {
            link.value += i;
            link = link.next;
        }
        return link.value;
    }

    private static void statics() {
        long accesses = 2L * LOOP * CALLS;
        repeat("static-hot", accesses, Cell::new, cell -> addToStatic(LOOP));
        repeat("static-hostile-volatile", accesses, Cell::new, cell -> addFenceToStatic(LOOP));
    }

    private static long addToStatic(int n) {
        for (int i = 0; i < n; i++) {
            total += i;
        }
        return total;
    }

    private static long addFenceToStatic(int n) {
        for (int i = 0; i < n; i++) {
            total += fence;
        }
        return total;
    }

    private static void locks() {
        int calls = CALLS / 10;
        long pairs = (long) LOOP * calls;
        repeat("lock-one", calls, pairs, Object::new, lock -> lockOne(lock, LOOP));
        repeat("lock-many", calls, pairs, Micro::cells, cells -> lockMany(cells, LOOP));
        repeat("lock-explicit", calls, pairs, ReentrantLock::new, lock -> lockExplicit(lock, LOOP));
        repeat("lock-one-with-field", calls, pairs, Cell::new, cell -> lockField(cell, cell, LOOP));
        repeat("lock-other-with-field", calls, pairs, Cell::new, cell -> lockField(Micro.class, cell, LOOP));
        repeat("lock-many-with-field", calls, pairs, Micro::cells, cells -> lockManyFields(cells, LOOP));
        repeat("lock-sometimes-with-field", calls, pairs, Cell::new, cell -> lockSometimes(cell, LOOP));
    }

    private static Cell[] cells() {
        Cell[] cells = new Cell[256];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = new Cell();
        }
        return cells;
    }

    private static long lockOne(Object lock, int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) {
            synchronized (lock) {
                sum += fence;
            }
        }
        return sum;
    }

    private static long lockMany(Object[] locks, int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) {
            synchronized (locks[i & locks.length - 1]) {
                sum += fence;
            }
        }
        return sum;
    }

    private static long lockExplicit(ReentrantLock lock, int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) {
            lock.lock();
            try {
                sum += fence;
            } finally {
                lock.unlock();
            }
        }
        return sum;
    }

    private static long lockField(Object lock, Cell cell, int n) {
        // Not read after the loop: an access without the lock would make it another state.
        long last = 0;
        for (int i = 0; i < n; i++) {
            synchronized (lock) {
                last = cell.value += i;
            }
        }
        return last;
    }

    private static long lockSometimes(Cell cell, int n) {
        long sum = 0;
        for (int i = 0; i < n; i++) {
            synchronized (cell) {
                cell.value += i;
            }
            sum += cell.value;
        }
        return sum;
    }

    private static long lockManyFields(Cell[] cells, int n) {
        long last = 0;
        for (int i = 0; i < n; i++) {
            Cell cell = cells[i & cells.length - 1];
            synchronized (cell) {
                last = cell.value += i;
            }
        }
        return last;
    }

    private static <T> void repeat(String name, long operations, Supplier<T> data, ToLongFunction<T> loop) {
        repeat(name, CALLS, operations, data, loop);
    }

    /** A round calls the loop {@code calls} times on fresh data. */
    private static <T> void repeat(
            String name, int calls, long operations, Supplier<T> data, ToLongFunction<T> loop) {
        long best = Long.MAX_VALUE;
        for (int round = 0; round < rounds; round++) {
            T fresh = data.get();
            long sum = 0;
            long begin = System.nanoTime();
            for (int i = 0; i < calls; i++) {
                sum += loop.applyAsLong(fresh);
            }
            best = Math.min(best, System.nanoTime() - begin);
            use(sum);
        }
        report(name, best, operations);
    }

    /** Makes a result part of the output, so that the loop that made it cannot be left out. */
    static synchronized void use(long result) {
        checksum = checksum * 31 + result;
    }

    static void report(String name, long nanos, long operations) {
        System.err.println(
                String.format(Locale.ROOT, "racewire-micro %s %.4f", name, nanos / (double) operations));
    }
}
