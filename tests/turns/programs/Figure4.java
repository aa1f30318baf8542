package figure4;

/** The same paper, figure 4: the local variable outlives the critical section, but no value goes from round to round. */
public final class Figure4 extends Thread {
    static final Object LOCK = new Object();
    static int field = 8;

    static void daemon() {
        int value = 0;
        for (int round = 0; round < 3; round++) {
            synchronized (LOCK) {
                value = field;
                value = value / 2 + 1;
                field = value;
            }
        }
    }

    @Override
    public void run() {
        daemon();
    }

    public static void main(String[] args) throws InterruptedException {
        Figure4 one = new Figure4();
        Figure4 other = new Figure4();
        one.start();
        other.start();
        one.join();
        other.join();
    }
}
