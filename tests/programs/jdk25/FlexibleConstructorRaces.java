/** Code before super(): assignments to fields of the object under construction, accesses to everything else. */
public class FlexibleConstructorRaces {
    static class Shared {
        int before;
        int after;
        static int global;
    }

    static class Base {
        int seen;

        Base() {
            seen = early();
        }

        int early() {
            return -1;
        }
    }

    static class Derived extends Base {
        int early;
        long wide;

        Derived(Shared shared, int value) {
            if (value < 0) {
                throw new IllegalArgumentException();
            }
            early = value;
            wide = shared.before++; // expect race: before
            Shared.global++; // expect race: global
            super();
            shared.after += early; // expect race: after
            early++;
        }

        @Override
        int early() {
            return early;
        }
    }

    public static void main(String[] args) {
        Shared shared = new Shared();
        Runnable task = () -> {
            Derived derived = new Derived(shared, 3);
            System.out.println(derived.seen + " " + derived.early + " " + derived.wide);
        };
        inTurn(task, task);
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
