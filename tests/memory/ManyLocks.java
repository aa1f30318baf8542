import java.util.concurrent.locks.ReentrantLock;

/**
 * A great number of distinct lock objects, each held while a field is accessed: half of them are plain
 * monitors, half explicit locks, each the only guard of a cell of its own, some shared between two threads.
 */
public final class ManyLocks {
    private static final int THREADS = 2;

    static final class Cell {
        int value;
    }

    static final class Pair {
        final Object lock = new Object();
        final Cell cell = new Cell();
    }

    private static final Object GATE = new Object();
    private static Pair handed;

    public static void main(String[] args) throws Exception {
        int perThread = Integer.parseInt(args[0]) / THREADS;
        Thread[] threads = new Thread[THREADS];
        long[] sums = new long[THREADS];
        for (int t = 0; t < THREADS; t++) {
            int number = t;
            threads[t] = new Thread(() -> sums[number] = work(perThread));
            threads[t].start();
        }
        long sum = 0;
        for (int t = 0; t < THREADS; t++) {
            threads[t].join();
            sum += sums[t];
        }
        System.out.println("locks " + sum);
        System.out.println("peak " + Memory.peakKb());
    }

    private static long work(int count) {
        long made = 0;
        Cell plain = new Cell();
        for (int i = 0; i < count; i++) {
            if ((i & 1) == 0) {
                Pair pair = new Pair();
                synchronized (pair.lock) {
                    pair.cell.value++;
                    plain.value++;
                }
                Pair other;
                synchronized (GATE) {
                    other = handed;
                    handed = pair;
                }
                if (other != null) {
                    synchronized (other.lock) {
                        other.cell.value++;
                    }
                }
            } else {
                ReentrantLock lock = new ReentrantLock();
                Cell cell = new Cell();
                lock.lock();
                try {
                    cell.value = i;
                    plain.value++;
                } finally {
                    lock.unlock();
                }
            }
            made++;
        }
        return made;
    }
}
