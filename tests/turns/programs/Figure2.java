package figure2;

/** The same paper, figures 2 and 3: a value goes through a local variable from one critical section to the next. */
public final class Figure2 extends Thread {
    static final Object LOCK = new Object();
    static int field;

    static void inc() {
        int tmp;
        synchronized (LOCK) {
            tmp = field;
        }
        tmp++;
        synchronized (LOCK) {
            field = tmp; // violation; run stale
        }
    }

    @Override
    public void run() {
        inc();
        inc();
    }

    public static void main(String[] args) throws InterruptedException {
        Figure2 one = new Figure2();
        Figure2 other = new Figure2();
        one.start();
        other.start();
        one.join();
        other.join();
    }
}
