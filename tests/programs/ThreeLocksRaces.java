/** Three locks, any two accesses have one in common, all three have none: reported by the definition of a lock set. */
public class ThreeLocksRaces {
    static final Object A = new Object();
    static final Object B = new Object();
    static final Object C = new Object();
    int value;

    void under(Object one, Object other) {
        synchronized (one) {
            synchronized (other) {
                value++; // expect race: value
            }
        }
    }

    public static void main(String[] args) {
        ThreeLocksRaces o = new ThreeLocksRaces();
        inTurn(() -> o.under(A, B), () -> o.under(B, C), () -> o.under(A, C), () -> o.under(A, B));
        System.out.println("done");
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
