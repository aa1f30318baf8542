import java.util.List;
import java.util.function.Consumer;

/** start() by method reference in its three forms; the accesses after it are not handed over. */
public class StartReferenceRaces {
    static class Box {
        int value;
    }

    static void touch(Box box) {
        box.value++; // expect race: value
    }

    static void go(Thread thread, Runnable start, Box box) {
        start.run();
        touch(box);
        finish(thread);
    }

    public static void main(String[] args) {
        Box one = new Box();
        Thread bound = new Thread(() -> touch(one));
        go(bound, bound::start, one);

        Box two = new Box();
        Thread unbound = new Thread(() -> touch(two));
        Consumer<Thread> starter = Thread::start;
        go(unbound, () -> starter.accept(unbound), two);

        Box three = new Box();
        List<Thread> threads = List.of(new Thread(() -> touch(three)), new Thread(() -> touch(three)));
        threads.forEach(Thread::start);
        threads.forEach(StartReferenceRaces::finish);
        System.out.println("done");
    }

    /** Unlike join() this is no synchronization (JLS 17.4.5), for whatever detector. */
    static void finish(Thread thread) {
        while (thread.getState() != Thread.State.TERMINATED) {
            Thread.yield();
        }
    }
}
