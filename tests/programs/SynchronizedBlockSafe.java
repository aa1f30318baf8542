// expect none
/** Accesses inside synchronized blocks that are left in every possible way, and between two levels of one lock. */
public class SynchronizedBlockSafe {
    final Object lock = new Object();
    int count;

    int returned() {
        synchronized (lock) {
            return ++count;
        }
    }

    void touch() {
        synchronized (lock) {
            count++;
        }
        try {
            synchronized (lock) {
                count++;
                throw new IllegalStateException();
            }
        } catch (IllegalStateException e) {
            e.getMessage();
        }
        synchronized (lock) {
            synchronized (lock) {
                count++;
            }
            count++;
        }
        synchronized (lock) {
            try {
                synchronized (lock) {
                    throw new IllegalStateException();
                }
            } catch (IllegalStateException e) {
                count++;
            } finally {
                count++;
            }
        }
        outer:
        for (int i = 0; ; i++) {
            synchronized (lock) {
                count++;
                if (i == 0) {
                    continue outer;
                }
                if (i == 2) {
                    break outer;
                }
            }
        }
        int n = returned();
        synchronized (lock) {
            System.out.println(n == count);
        }
    }

    public static void main(String[] args) {
        SynchronizedBlockSafe o = new SynchronizedBlockSafe();
        inTurn(o::touch, o::touch);
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
