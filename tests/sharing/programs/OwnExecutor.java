import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/** Two Executors of the program: one starts a thread per task, the other runs the task in its caller. */
public class OwnExecutor {
    static class Cell {
        int ran;
        int staged;
        int inCaller;
    }

    static class PerTask implements Executor {
        Thread latest;

        @Override
        public void execute(Runnable task) {
            latest = new Thread(task);
            latest.start();
        }
    }

    static class Direct {
        void execute(Runnable task) {
            task.run();
        }
    }

    public static void main(String[] args) throws Exception {
        PerTask executor = new PerTask();
        Cell cell = new Cell();
        executor.execute(() -> cell.ran++); // shared: ran
        executor.latest.join();
        CompletableFuture.runAsync(() -> cell.staged++, executor).get(); // shared: staged
        System.out.println(cell.ran + cell.staged); // shared: ran, staged
        Cell own = new Cell();
        new Direct().execute(() -> own.inCaller++); // local: inCaller
        System.out.println(own.inCaller); // local: inCaller
    }
}
