package figure1;

/** Artho, Biere and Havelund, figure 1: two fields that belong together, reset one by one. Nothing is stale in it. */
public final class Figure1 extends Thread {
    static final Object LOCK = new Object();
    static int x = 1;
    static int y = 2;

    static void swap() {
        synchronized (LOCK) {
            int old = x;
            x = y;
            y = old;
        }
    }

    static void reset() {
        synchronized (LOCK) {
            x = 0; // violation; run views
        }
        synchronized (LOCK) {
            y = 0; // run views
        }
    }

    @Override
    public void run() {
        swap();
        swap();
    }

    public static void main(String[] args) throws InterruptedException {
        Figure1 other = new Figure1();
        other.start();
        reset();
        other.join();
    }
}
