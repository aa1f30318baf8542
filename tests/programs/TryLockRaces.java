import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** A tryLock that returned false has not locked, in either form. */
public class TryLockRaces {
    final ReentrantLock lock = new ReentrantLock();
    int count;
    int timed;

    void attempt() {
        boolean locked = lock.tryLock();
        count++; // expect race: count
        if (locked) {
            lock.unlock();
        }
    }

    void attemptFor() {
        Lock same = lock;
        boolean locked;
        try {
            locked = same.tryLock(1, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        timed++; // expect race: timed
        if (locked) {
            same.unlock();
        }
        System.out.println(locked);
    }

    public static void main(String[] args) {
        TryLockRaces o = new TryLockRaces();
        inTurn(o::attempt, o::attemptFor);
        o.lock.lock();
        try {
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
