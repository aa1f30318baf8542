import java.util.concurrent.CountDownLatch;

/**
 * A static initialiser that waits for a thread on its own instance: instance methods do not wait for the class
 * (JLS 12.4.1), so neither may their hooks. Everything that gets a hook is in {@link #work}.
 */
public class InitialisedElsewhereSafe {
    static final InitialisedElsewhereSafe INSTANCE = new InitialisedElsewhereSafe();

    private final CountDownLatch ready = new CountDownLatch(1);
    private int count;
    private long wide;

    InitialisedElsewhereSafe() {
        Thread worker = new Worker(this);
        worker.start();
        try {
            ready.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    void work() throws InterruptedException {
        count++;
        wide += count;
        Elsewhere.last = count;
        locked();
        synchronized (this) {
            count++;
        }
        Thread nobody = new Nobody();
        Runnable start = nobody::start;
        start.run();
        nobody.join();
        System.out.println("worked " + count + " " + wide);
        ready.countDown();
    }

    private synchronized void locked() {
        count++;
    }

    static final class Worker extends Thread {
        private final InitialisedElsewhereSafe on;

        Worker(InitialisedElsewhereSafe on) {
            this.on = on;
        }

        @Override
        public void run() {
            try {
                on.work();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    static final class Elsewhere {
        static int last;
    }

    static final class Nobody extends Thread { }

    public static void main(String[] args) {
        System.out.println(INSTANCE != null);
    }
}
