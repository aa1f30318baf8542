package figure6;

/** The same paper, figure 6: the old value is compared with the new one before it is acted upon. */
public final class Figure6 extends Thread {
    static final Object LOCK = new Object();
    static int field;

    static void doTransaction() {
        boolean done = false;
        while (!done) {
            int value;
            synchronized (LOCK) {
                value = field;
            }
            int data = value / 2 + 1;
            synchronized (LOCK) {
                if (value == field) {
                    field = data;
                    done = true;
                }
            }
        }
    }

    @Override
    public void run() {
        doTransaction();
    }

    public static void main(String[] args) throws InterruptedException {
        Figure6 one = new Figure6();
        Figure6 other = new Figure6();
        one.start();
        other.start();
        one.join();
        other.join();
    }
}
