import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Objects reach a pool's threads through execute, submit (Runnable, Callable), invokeAll, invokeAny and schedule. */
public class ExecutorTasks {
    static class Cell {
        int executed;
        int submitted;
        int called;
        int invoked;
        int any;
        int scheduled;
        int repeated;
    }

    static class Scratch {
        int scratch;
    }

    static int onlyMain;

    public static void main(String[] args) throws Exception {
        Cell cell = new Cell();
        ExecutorService pool = Executors.newFixedThreadPool(2);
        ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
        cell.executed = 1; // shared: executed
        cell.submitted = 2; // shared: submitted
        cell.called = 3; // shared: called
        cell.invoked = 4; // shared: invoked
        cell.any = 5; // shared: any
        cell.scheduled = 6; // shared: scheduled
        cell.repeated = 7; // shared: repeated
        pool.execute(() -> cell.executed++); // shared: executed
        pool.submit(() -> {
            cell.submitted++; // shared: submitted
        }).get();
        int called = pool.submit(() -> cell.called++).get(); // shared: called
        Callable<Integer> task = () -> {
            Scratch mine = new Scratch();
            mine.scratch++; // local: scratch
            return mine.scratch; // local: scratch
        };
        pool.invokeAll(List.of(task, task, () -> cell.invoked++)); // shared: invoked
        pool.invokeAny(List.of(() -> cell.any++)); // shared: any
        timer.schedule(() -> cell.scheduled++, 1, TimeUnit.MILLISECONDS).get(); // shared: scheduled
        timer.scheduleAtFixedRate(() -> cell.repeated++, 0, 1, TimeUnit.HOURS); // shared: repeated
        timer.submit(() -> called).get();
        pool.shutdown();
        timer.shutdown();
        pool.awaitTermination(10, TimeUnit.SECONDS);
        timer.awaitTermination(10, TimeUnit.SECONDS);
        Scratch unsent = new Scratch();
        unsent.scratch = called; // local: scratch
        onlyMain += unsent.scratch; // local: onlyMain, scratch
        System.out.println(cell.executed + cell.submitted + onlyMain); // shared: executed, submitted; local: onlyMain
        System.out.println(cell.called + cell.invoked); // shared: called, invoked
        System.out.println(cell.any + cell.scheduled + cell.repeated); // shared: any, scheduled, repeated
    }
}
