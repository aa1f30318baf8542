package example2;

/** The same paper, the second example: a snapshot may be used, but not in a critical section, and not after a later one. */
public final class Example2 extends Thread {
    static final Object MONITOR = new Object();
    static int x;
    static int n;

    static int outside() {
        int t0;
        synchronized (MONITOR) {
            t0 = x;
        }
        int t1 = t0 + 1;
        return t1;
    }

    static int inside() {
        int t0;
        synchronized (MONITOR) {
            t0 = x;
        }
        int t2;
        synchronized (MONITOR) {
            t2 = t0 + n; // violation; run stale
        }
        return t2;
    }

    static int after() {
        int t0;
        synchronized (MONITOR) {
            t0 = x;
        }
        synchronized (MONITOR) {
            n = 1;
        }
        int t3 = t0 + 1; // violation; run stale
        return t3;
    }

    @Override
    public void run() {
        for (int value = 1; value <= 8; value++) {
            synchronized (MONITOR) {
                x = value;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Example2 other = new Example2();
        other.start();
        outside();
        inside();
        after();
        other.join();
    }
}
