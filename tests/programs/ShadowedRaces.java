/** A field that hides another of the same name: each of the two is raced on through its own type. */
public class ShadowedRaces {
    static class Base {
        int value;
    }

    static class Derived extends Base {
        int value;

        void both() {
            value++; // expect race: value
            super.value += 2; // expect race: value
        }
    }

    public static void main(String[] args) {
        Derived o = new Derived();
        inTurn(o::both, () -> {
            o.value += 4; // expect race: value
            ((Base) o).value += 8; // expect race: value
            System.out.println(o.value + " " + ((Base) o).value); // expect race: value
        });
    }

    /** One thread per task, each after the end of the one before, without anything that orders them. */
    static void inTurn(Runnable... tasks) {
        for (Runnable task : tasks) {
            Thread thread = new Thread(task);
            thread.start();
            finish(thread);
        }
    }

    /** Unlike join() this is no synchronization (JLS 17.4.5), for whatever detector. */
    static void finish(Thread thread) {
        while (thread.getState() != Thread.State.TERMINATED) {
            Thread.yield();
        }
    }
}
