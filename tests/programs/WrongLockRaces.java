/** Two variables with a lock each: using the lock of the other is using none. */
public class WrongLockRaces {
    final Object lockA = new Object();
    final Object lockB = new Object();
    int a;
    int b;

    void right() {
        synchronized (lockA) {
            a++; // expect race: a
        }
        synchronized (lockB) {
            b++; // expect race: b
        }
    }

    void wrong() {
        synchronized (lockB) {
            a++; // expect race: a
        }
        synchronized (lockA) {
            b++; // expect race: b
        }
    }

    public static void main(String[] args) {
        WrongLockRaces o = new WrongLockRaces();
        inTurn(o::right, o::wrong, o::right);
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
