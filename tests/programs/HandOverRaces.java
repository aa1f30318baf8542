/** A chain of threads hands an object on; a link that touches it again after handing it on races with the next. */
public class HandOverRaces {
    int value;

    void pass(int generations) {
        value++; // expect race: value
        if (generations > 0) {
            Thread next = new Thread(() -> pass(generations - 1));
            next.start();
            finish(next);
        }
    }

    public static void main(String[] args) {
        HandOverRaces o = new HandOverRaces();
        o.pass(3);
        o.value += 10; // expect race: value
        System.out.println("done");
    }

    /** Unlike join() this is no synchronization (JLS 17.4.5), for whatever detector. */
    static void finish(Thread thread) {
        while (thread.getState() != Thread.State.TERMINATED) {
            Thread.yield();
        }
    }
}
