package rules;

/** Before the others are started, and when they have ended, main is alone. */
public class StartJoin {
    static int total;
    static final Object lock = new Object();

    static class Worker extends Thread {
        @Override
        public void run() {
            synchronized (lock) {
                total += 1;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int before;
        synchronized (lock) {
            before = total;
        }
        synchronized (lock) {
            total = before + 1; // without start-join block-local stale-value; plain block-local stale-value
        }
        Thread[] workers = new Thread[3];
        for (int i = 0; i < workers.length; i++) {
            workers[i] = new Worker();
            workers[i].start();
        }
        for (int i = 0; i < workers.length; i++) {
            workers[i].join();
        }
        after();
    }

    static void after() {
        System.out.println(total);
    }
}
