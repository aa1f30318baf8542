import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

// expect none
/** A tryLock that returned true has locked, in either form; one that returned false keeps its hands off. */
public class TryLockSafe {
    final ReentrantLock lock = new ReentrantLock();
    int count;

    void attempt() {
        if (lock.tryLock()) {
            try {
                count++;
                System.out.println(count);
            } finally {
                lock.unlock();
            }
        } else {
            System.out.println("busy");
        }
    }

    void attemptFor() {
        Lock same = lock;
        try {
            if (same.tryLock(1, TimeUnit.MILLISECONDS)) {
                try {
                    count++;
                    System.out.println(count);
                } finally {
                    same.unlock();
                }
            } else {
                System.out.println("busy for long");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) {
        TryLockSafe o = new TryLockSafe();
        inTurn(o::attempt, o::attemptFor, o::attempt);
        o.lock.lock();
        try {
            o.count++;
            inTurn(o::attempt, o::attemptFor);
        } finally {
            o.lock.unlock();
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
