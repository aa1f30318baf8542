package example3;

/** The same paper, the third example: the array may have been replaced during the wait. */
public final class Example3 extends Thread {
    static final Object MONITOR = new Object();
    static Object[] arr = new Object[2];
    static int n;
    static int nextc;

    static Object consume() throws InterruptedException {
        Object v;
        synchronized (MONITOR) {
            Object[] a = arr;
            while (n == 0) {
                MONITOR.wait();
            }
            v = a[nextc]; // violation; run stale
            nextc = (nextc + 1) % arr.length;
            n = n - 1;
        }
        return v;
    }

    static Object consumeRight() throws InterruptedException {
        Object v;
        synchronized (MONITOR) {
            while (n == 0) {
                MONITOR.wait();
            }
            Object[] a = arr;
            v = a[nextc];
            nextc = (nextc + 1) % a.length;
            n = n - 1;
        }
        return v;
    }

    @Override
    public void run() {
        try {
            consume();
            consumeRight();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Example3 consumer = new Example3();
        consumer.start();
        for (int round = 0; round < 2; round++) {
            while (consumer.getState() != State.WAITING) {
                Thread.sleep(1);
            }
            synchronized (MONITOR) {
                arr = new Object[4];
                n = 1;
                MONITOR.notifyAll();
            }
        }
        consumer.join();
    }
}
