import java.util.concurrent.CountDownLatch;

/** The same, and the initialising thread goes on to use what the other one does: hooks saw both. */
public class InitialisedElsewhereRaces {
    static final InitialisedElsewhereRaces INSTANCE = new InitialisedElsewhereRaces();

    final CountDownLatch ready = new CountDownLatch(1);
    int count;

    InitialisedElsewhereRaces() {
        new Worker(this).start();
        try {
            ready.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        count = 5; // expect race
    }

    void work() {
        count = 3; // expect race
        ready.countDown();
    }

    static final class Worker extends Thread {
        private final InitialisedElsewhereRaces on;

        Worker(InitialisedElsewhereRaces on) {
            this.on = on;
        }

        @Override
        public void run() {
            on.work();
        }
    }

    public static void main(String[] args) {
        System.out.println(INSTANCE != null);
    }
}
