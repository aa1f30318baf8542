import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Thread objects in an array serve as Runnables of other threads and of a pool, and are never started themselves. */
public class ThreadAsRunnable {
    static class Job extends Thread {
        int done;

        @Override
        public void run() {
            done++; // shared: done
        }
    }

    static class Idle extends Thread {
        int thrice;

        @Override
        public void run() {
            thrice++; // local: thrice
        }
    }

    public static void main(String[] args) throws Exception {
        Job[] jobs = {new Job(), new Job()};
        Thread carrier = new Thread(jobs[0]);
        carrier.start();
        carrier.join();
        ExecutorService pool = Executors.newSingleThreadExecutor();
        pool.submit(jobs[1]).get();
        pool.shutdown();
        int sum = 0;
        for (Job job : jobs) {
            sum += job.done; // shared: done
        }
        Idle[] idle = {new Idle()};
        for (int i = 0; i < 3; i++) {
            idle[0].run();
        }
        System.out.println(sum + idle[0].thrice); // local: thrice
    }
}
