/** A thread's own object that others get by Thread.currentThread(), not by the reference that started it. */
public class CurrentThreads {
    static class Worker extends Thread {
        int published;
        int own;

        @Override
        public void run() {
            published++; // shared: published
            own++; // local: own
            current = Thread.currentThread();
        }
    }

    static volatile Thread current;

    public static void main(String[] args) throws InterruptedException {
        new Worker().start();
        while (current == null) {
            Thread.onSpinWait();
        }
        Thread started = current;
        started.join();
        ((Worker) started).published++; // shared: published
        System.out.println("done");
    }
}
