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

    public static void main(String[] args) {
        NestedLocks locks = new NestedLocks();
        for (int i = 0; i < 100; i++) {
            add(locks);
            locks.loop(5);
        }
        System.out.println(locks.n + " " + total);
    }
}
