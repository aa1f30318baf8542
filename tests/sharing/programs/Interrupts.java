/** A thread finds its work by interrupt and through Thread.currentThread(), not through a captured variable. */
public class Interrupts {
    static class Worker extends Thread {
        int inbox;
        int interrupts;

        @Override
        public void run() {
            try {
                Thread.sleep(60_000);
            } catch (InterruptedException e) {
                interrupts++; // shared: interrupts
                work();
            }
        }
    }

    static void work() {
        Worker worker = (Worker) Thread.currentThread();
        worker.inbox *= 2; // shared: inbox
    }

    static class Retry {
        int retries;
    }

    public static void main(String[] args) throws Exception {
        Worker worker = new Worker();
        worker.start();
        worker.inbox = 5; // shared: inbox
        worker.interrupt();
        worker.join();
        Retry retry = new Retry();
        try {
            Thread.currentThread().interrupt();
            Thread.sleep(1);
        } catch (InterruptedException e) {
            retry.retries++; // local: retries
        }
        System.out.println(worker.inbox + worker.interrupts); // shared: inbox, interrupts
        System.out.println(retry.retries); // local: retries
    }
}
