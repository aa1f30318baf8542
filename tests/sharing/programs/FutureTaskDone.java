import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;

/** FutureTask.done() runs in the thread of the task; the task run by main itself stays local. */
public class FutureTaskDone {
    static class Task extends FutureTask<Integer> {
        int finished;

        Task() {
            super(() -> 1);
        }

        @Override
        protected void done() {
            finished++; // shared: finished
        }
    }

    static class Own extends FutureTask<Integer> {
        int afterwards;

        Own() {
            super(() -> 2);
        }

        @Override
        protected void done() {
            afterwards++; // local: afterwards
        }
    }

    public static void main(String[] args) throws Exception {
        Task task = new Task();
        task.finished = 1; // shared: finished
        ExecutorService pool = Executors.newSingleThreadExecutor();
        pool.submit(task).get();
        pool.shutdown();
        Own own = new Own();
        own.run();
        System.out.println(task.finished + task.get()); // shared: finished
        System.out.println(own.afterwards + own.get()); // local: afterwards
    }
}
