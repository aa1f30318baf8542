// expect none
/** Two variables with a lock each, sometimes with both locks held: one lock stays common to all accesses of each. */
public class WrongLockSafe {
    final Object lockA = new Object();
    final Object lockB = new Object();
    int a;
    int b;

    void right() {
        synchronized (lockA) {
            a++;
        }
        synchronized (lockB) {
            b++;
        }
    }

    void both() {
        synchronized (lockA) {
            synchronized (lockB) {
                a += b++;
                System.out.println(a + " " + b);
            }
            a++;
        }
    }

    public static void main(String[] args) {
        WrongLockSafe o = new WrongLockSafe();
        inTurn(o::right, o::both, o::right, o::both);
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
