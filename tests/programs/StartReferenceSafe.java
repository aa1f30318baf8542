import java.util.List;
import java.util.function.Consumer;

// No race. ERASER knows no hand-over: the marked lines are its false alarms.
/** start() by method reference, bound and unbound, on Thread and on a subclass: all hand over. */
public class StartReferenceSafe {
    static class Box {
        int value;
    }

    static class Own extends Thread {
        final Box box;

        Own(Box box) {
            this.box = box;
        }

        @Override
        public void run() {
            touch(box);
        }
    }

    static void touch(Box box) {
        box.value++; // expect race[eraser]: value
        System.out.println(box.value); // expect race[eraser]: value
    }

    static Box fresh() {
        Box box = new Box();
        box.value = 1; // expect race[eraser]: value
        return box;
    }

    static void run(Runnable start) {
        start.run();
    }

    public static void main(String[] args) {
        Box one = fresh();
        Thread bound = new Thread(() -> touch(one));
        run(bound::start);
        finish(bound);

        Box two = fresh();
        Thread unbound = new Thread(() -> touch(two));
        Consumer<Thread> starter = Thread::start;
        starter.accept(unbound);
        finish(unbound);

        Own own = new Own(fresh());
        run(own::start);
        finish(own);

        Own other = new Own(fresh());
        Consumer<Own> ownStarter = Own::start;
        ownStarter.accept(other);
        finish(other);

        Own last = new Own(fresh());
        List.of(last).forEach(Thread::start);
        finish(last);
    }

    /** Unlike join() this is no synchronization (JLS 17.4.5), for whatever detector. */
    static void finish(Thread thread) {
        while (thread.getState() != Thread.State.TERMINATED) {
            Thread.yield();
        }
    }
}
