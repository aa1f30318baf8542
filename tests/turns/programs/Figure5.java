package figure5;

/** The same paper, figure 5: what comes out of the buffer belongs to the thread that took it. */
public final class Figure5 extends Thread {
    static final class Buffer {
        private final int[] slots = new int[16];
        private int first;
        private int last;

        int next() {
            int value = slots[first];
            first = (first + 1) % slots.length;
            return value;
        }

        void add(int value) {
            slots[last] = value;
            last = (last + 1) % slots.length;
        }
    }

    static final Object LOCK = new Object();
    static final Buffer BUFFER = new Buffer();

    @Override
    public void run() {
        for (int round = 0; round < 3; round++) {
            int value;
            synchronized (LOCK) {
                value = BUFFER.next();
            }
            int data = value * 31;
            synchronized (LOCK) {
                BUFFER.add(data);
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Figure5 one = new Figure5();
        Figure5 other = new Figure5();
        one.start();
        other.start();
        one.join();
        other.join();
    }
}
