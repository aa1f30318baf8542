/** Locks inside locks, on the same object and on others, in methods that the compiler must be able to pair. */
public class NestedLocks {
    private int n;
    private static int total;

    synchronized int again(int by) {
        synchronized (this) {
            n += by;
        }
        return n;
    }

    static synchronized void add(NestedLocks other) {
        synchronized (other) {
            synchronized (NestedLocks.class) {
                total += other.again(1);
            }
        }
    }

    synchronized int loop(int times) {
        while (true) {
            if (times-- == 0) {
                return n;
            }
            try {
                n += 10 / (times % 2);
            } catch (ArithmeticException e) {
                n--;
            } finally {
                n++;
            }
        }
    }

    private static final Object INNER = new Object();

    NestedLocks() {
        synchronized (INNER) {
            try {
                synchronized (this) {
                    total++;
                }
            } finally {
                total--;
            }
        }
    }

    void block(int by) {
        synchronized (this) {
            n += by;
            synchronized (INNER) {
                n -= by;
            }
        }
    }

    void inFinally(long by) {
        try {
            synchronized (this) {
                n += 10 / (int) by;
            }
        } catch (ArithmeticException e) {
            synchronized (INNER) {
                n--;
            }
        } finally {
            synchronized (INNER) {
                n++;
            }
        }
    }

    public static void main(String[] args) {
        NestedLocks locks = new NestedLocks();
        for (int i = 0; i < 100; i++) {
            add(locks);
            locks.loop(5);
            locks.block(i);
            locks.inFinally(i % 2);
        }
        System.out.println(locks.n + " " + total);
    }
}
