package blocklocal;

/** Figure 5: what comes out of the buffer belongs to the thread that took it. */
public class Buffers {
    static class Buffer {
        private final int[] slots = new int[16];
        private int first, last;

        int next() {
            int value = slots[first];
            first = (first + 1) % slots.length;
            return value;
        }

        void add(int value) {
            slots[last] = value;
            last = (last + 1) % slots.length;
        }

        int peek() {
            return slots[first];
        }
    }

    final Object lock = new Object();
    final Buffer buffer = new Buffer();

    public void work() {
        int value, fdata;
        while (true) {
            synchronized (lock) {
                value = buffer.next();
            }
            fdata = f(value);
            synchronized (lock) {
                buffer.add(fdata); // plain block-local stale-value; without hand-over block-local stale-value
            }
        }
    }

    /** Only looked at, not taken: somebody else may take it. */
    public void doubled() {
        int value;
        synchronized (lock) {
            value = buffer.peek();
        }
        int fdata = f(value);
        synchronized (lock) {
            buffer.add(fdata); // expect block-local stale-value; plain block-local stale-value
        }
    }

    static int f(int value) {
        return value * 31;
    }
}
