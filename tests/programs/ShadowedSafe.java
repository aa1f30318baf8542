// expect none
/** One thread for the field that hides, one for the hidden: they only share a name, not a variable. */
public class ShadowedSafe {
    static class Base {
        int value;
        static int global;
    }

    static class Derived extends Base {
        long value;
        static int global;
    }

    public static void main(String[] args) {
        Derived o = new Derived();
        inTurn(() -> {
            o.value += 4;
            Derived.global++;
            System.out.println(o.value + Derived.global);
        }, () -> {
            ((Base) o).value += 8;
            Base.global++;
            System.out.println(((Base) o).value + Base.global);
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
