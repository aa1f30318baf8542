// expect none
/** Three locks in changing company, one of them always there. */
public class ThreeLocksSafe {
    static final Object A = new Object();
    static final Object B = new Object();
    static final Object C = new Object();
    int value;

    void under(Object one, Object other) {
        synchronized (one) {
            synchronized (other) {
                value++;
            }
        }
    }

    public static void main(String[] args) {
        ThreeLocksSafe o = new ThreeLocksSafe();
        inTurn(() -> o.under(A, B), () -> o.under(B, C), () -> o.under(B, B), () -> o.under(A, B));
        synchronized (B) {
            System.out.println(o.value);
        }
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
