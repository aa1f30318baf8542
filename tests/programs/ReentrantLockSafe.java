import java.util.concurrent.locks.ReentrantLock;

// expect none
/** lock/unlock with try/finally, re-entrant, interruptible, released in another method than acquired. */
public class ReentrantLockSafe {
    private final ReentrantLock lock = new ReentrantLock();
    private int count;

    void plain() {
        lock.lock();
        try {
            count++;
            lock.lock();
            try {
                count++;
            } finally {
                lock.unlock();
            }
            count++;
        } finally {
            lock.unlock();
        }
    }

    void interruptible() {
        try {
            lock.lockInterruptibly();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        try {
            count++;
        } finally {
            lock.unlock();
        }
    }

    void acquire() {
        lock.lock();
    }

    void release() {
        lock.unlock();
    }

    void acrossMethods() {
        acquire();
        count++;
        System.out.println(count);
        release();
    }

    public static void main(String[] args) {
        ReentrantLockSafe o = new ReentrantLockSafe();
        inTurn(o::plain, o::interruptible, o::acrossMethods, o::plain);
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
