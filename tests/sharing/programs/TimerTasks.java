import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CountDownLatch;

/** A TimerTask runs in the timer's thread; its look-alike is never scheduled but run by main. */
public class TimerTasks {
    static class Task extends TimerTask {
        final CountDownLatch done = new CountDownLatch(1);
        int ticks;

        @Override
        public void run() {
            ticks++; // shared: ticks
            done.countDown();
        }
    }

    static class Unscheduled extends TimerTask {
        int runsDirectly;

        @Override
        public void run() {
            runsDirectly++; // local: runsDirectly
        }
    }

    public static void main(String[] args) throws Exception {
        Timer timer = new Timer(true);
        Task task = new Task();
        task.ticks = 1; // shared: ticks
        timer.schedule(task, 1);
        task.done.await();
        timer.cancel();
        Unscheduled other = new Unscheduled();
        other.run();
        System.out.println(task.ticks + other.runsDirectly); // shared: ticks; local: runsDirectly
    }
}
