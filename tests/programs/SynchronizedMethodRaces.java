/** Instance and static synchronized methods do not lock the same; after any of them, thrown or not, nothing is locked. */
public class SynchronizedMethodRaces {
    static int mixed;
    int afterThrow;
    int afterRecursion;
    static int otherObject;

    synchronized void instance() {
        mixed++; // expect race: mixed
    }

    static synchronized void global() {
        mixed++; // expect race: mixed
    }

    synchronized void failing() throws Exception {
        throw new Exception();
    }

    static synchronized long failing(long a, double b, String[] c) {
        throw new ArithmeticException();
    }

    synchronized int recursive(int n) {
        return n == 0 ? 0 : 1 + recursive(n - 1);
    }

    synchronized void count() {
        otherObject++; // expect race: otherObject
    }

    void touch() {
        try {
            failing();
        } catch (Exception e) {
            afterThrow++; // expect race: afterThrow
        }
        try {
            failing(1L, 2.0, null);
        } catch (ArithmeticException e) {
            afterThrow++; // expect race: afterThrow
        }
        afterRecursion += recursive(3); // expect race: afterRecursion
    }

    public static void main(String[] args) {
        SynchronizedMethodRaces o = new SynchronizedMethodRaces();
        inTurn(o::touch, o::touch, o::instance, SynchronizedMethodRaces::global, o::instance);
        // Three times, for ERASER does not look at the locks of the first thread.
        for (int i = 0; i < 3; i++) {
            inTurn(new SynchronizedMethodRaces()::count);
        }
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
