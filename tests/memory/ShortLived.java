import java.util.concurrent.locks.ReentrantLock;

/**
 * Millions of short-lived monitored objects in several threads. Most stay with their thread; one in eight is
 * handed over under the slot's monitor and its own, one in eight under an explicit lock, so that they leave
 * the simple state. Each field keeps to its lock: there is nothing to report. Prints the number of objects and
 * the peak of memory.
 */
public final class ShortLived {
    private static final int THREADS = 4;

    static final class Item {
        /** Guarded by the item itself. */
        int own;

        /** Guarded by the explicit lock. */
        long locked;

        /** Used by its maker alone. */
        int local;
    }

    /** Where neighbours hand items over. */
    static final class Slot {
        private Item item;

        synchronized Item swap(Item mine) {
            Item theirs = item;
            item = mine;
            return theirs;
        }
    }

    static final class LockedSlot {
        private final ReentrantLock lock = new ReentrantLock();
        private Item item;

        void swap(Item mine) {
            lock.lock();
            try {
                mine.locked = 1;
                if (item != null) {
                    item.locked++;
                }
                item = mine;
            } finally {
                lock.unlock();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int perThread = Integer.parseInt(args[0]) / THREADS;
        Slot slot = new Slot();
        LockedSlot locked = new LockedSlot();
        Thread[] threads = new Thread[THREADS];
        long[] sums = new long[THREADS];
        for (int t = 0; t < THREADS; t++) {
            int number = t;
            threads[t] = new Thread(() -> sums[number] = work(perThread, slot, locked));
            threads[t].start();
        }
        long sum = 0;
        for (int t = 0; t < THREADS; t++) {
            threads[t].join();
            sum += sums[t];
        }
        System.out.println("objects " + sum);
        System.out.println("peak " + Memory.peakKb());
    }

    private static long work(int count, Slot slot, LockedSlot locked) {
        long made = 0;
        for (int i = 0; i < count; i++) {
            Item item = new Item();
            item.local = 1;
            if ((i & 7) == 0) {
                synchronized (item) {
                    item.own = i;
                }
                Item other = slot.swap(item);
                if (other != null) {
                    synchronized (other) {
                        other.own++;
                    }
                }
            } else if ((i & 7) == 4) {
                locked.swap(item);
            }
            made += item.local;
        }
        return made;
    }
}
