package example1;

/** Burrows and Leino, the first example: a simple race, which is not looked for. */
public final class Example1 extends Thread {
    static final Object MONITOR = new Object();
    static int x;

    static int twice() {
        int first;
        synchronized (MONITOR) {
            first = x;
        }
        int second = x;
        return second;
    }

    @Override
    public void run() {
        for (int value = 1; value <= 3; value++) {
            synchronized (MONITOR) {
                x = value;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Example1 other = new Example1();
        other.start();
        twice();
        other.join();
    }
}
