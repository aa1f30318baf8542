import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** lockInterruptibly() that throws has not locked. */
public class LockInterruptiblyRaces {
    final Lock lock = new ReentrantLock();
    int count;

    void interrupted() {
        Thread.currentThread().interrupt();
        try {
            lock.lockInterruptibly();
            throw new AssertionError();
        } catch (InterruptedException e) {
            count++; // expect race: count
        }
    }

    void locked() {
        lock.lock();
        count++; // expect race: count
        lock.unlock();
    }

    public static void main(String[] args) {
        LockInterruptiblyRaces o = new LockInterruptiblyRaces();
        inTurn(o::locked, o::interrupted, o::locked);
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
