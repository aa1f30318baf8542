package buffer;

/**
 * Paper 000, figure 5 (002's "Buffer"): work is taken out of a buffer, done, and its result put into another one. Correct:
 * what was taken belongs to the thread that took it. 000 and 002 report it, and name the missing idea, ownership.
 */
public final class Buffer {
    static final class Slots {
        private final int[] slots = new int[64];
        private int used;

        int take() {
            if (used == 0) {
                return -1;
            }
            used--;
            return slots[used];
        }

        void add(int value) {
            slots[used] = value;
            used++;
        }
    }

    static final class Worker extends Thread {
        private final Object lock;
        private final Slots input;
        private final Slots output;

        Worker(Object lock, Slots input, Slots output) {
            this.lock = lock;
            this.input = input;
            this.output = output;
        }

        @Override
        public void run() {
            while (true) {
                int value;
                synchronized (lock) {
                    value = input.take();
                }
                if (value < 0) {
                    return;
                }
                int result = square(value);
                synchronized (lock) {
                    output.add(result);
                }
            }
        }

        private static int square(int value) {
            return value * value;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Object lock = new Object();
        Slots input = new Slots();
        Slots output = new Slots();
        for (int i = 0; i < 50; i++) {
            input.add(i);
        }
        Worker first = new Worker(lock, input, output);
        Worker second = new Worker(lock, input, output);
        first.start();
        second.start();
        first.join();
        second.join();
    }
}
