package blocklocal;

/** The figures of "Using block-local atomicity to detect stale-value concurrency errors", with the paper's verdicts. */
public class Figures {
    static class Shared {
        int field;
    }

    static class Coord {
        int x, y;
    }

    final Object lock = new Object();
    final Shared shared = new Shared();
    final Coord coord = new Coord();

    /** What other threads do. */
    public void others(int value) {
        synchronized (lock) {
            shared.field = value;
            coord.x = value;
            coord.y = value;
        }
    }

    /** Figure 1: a high-level data race, and nothing stale in it. */
    public void swap() {
        int oldX;
        synchronized (lock) {
            oldX = coord.x;
            coord.x = coord.y;
            coord.y = oldX;
        }
    }

    public void reset() {
        synchronized (lock) {
            coord.x = 0;
        }
        synchronized (lock) {
            coord.y = 0;
        }
    }

    /** Figures 2 and 3. */
    public void inc() {
        int tmp;
        synchronized (lock) {
            tmp = shared.field;
        }
        tmp++;
        synchronized (lock) {
            shared.field = tmp; // expect block-local stale-value; plain block-local stale-value
        }
    }

    /** Figure 4: no value flows from one round to the next. */
    void sensorDaemon() throws InterruptedException {
        int value = 0;
        while (true) {
            synchronized (lock) {
                value = shared.field;
                value = func(value);
                shared.field = value;
            }
            Thread.sleep(1000);
        }
    }

    static int func(int value) {
        return value / 2 + 1;
    }

    /** Figure 6: the paper's algorithm reports it, though it is correct. */
    public void doTransaction() {
        int value, fdata;
        boolean done = false;
        while (!done) {
            synchronized (lock) {
                value = shared.field;
            }
            fdata = func(value);
            synchronized (lock) {
                if (value == shared.field) {
                    shared.field = fdata; // plain block-local stale-value; without re-check block-local stale-value
                    done = true;
                }
            }
        }
    }

    /** The same idiom gone wrong: written if somebody else was there in between. */
    public void badTransaction() {
        int value;
        synchronized (lock) {
            value = shared.field;
        }
        int fdata = func(value);
        synchronized (lock) {
            if (value != shared.field) {
                shared.field = fdata; // expect block-local stale-value; plain block-local stale-value
            }
        }
    }

    /** Section 5.3, lax logging: strict block-local atomicity reports it, a snapshot it is to Burrows and Leino. */
    public void log() {
        int value;
        synchronized (lock) {
            value = shared.field;
        }
        System.out.println(value); // expect block-local?; plain block-local?
    }
}
