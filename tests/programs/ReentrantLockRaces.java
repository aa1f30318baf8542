import java.util.concurrent.locks.ReentrantLock;

/** After unlock() nothing is protected; two levels need two unlocks, one level needs one; two locks are not one. */
public class ReentrantLockRaces {
    final ReentrantLock lock = new ReentrantLock();
    final ReentrantLock fair = new ReentrantLock(true);
    int afterUnlock;
    int afterTwo;
    int afterThrow;
    int mixed;

    void touch() {
        lock.lock();
        try {
            lock.lock();
            lock.unlock();
        } finally {
            lock.unlock();
        }
        afterTwo++; // expect race: afterTwo
        lock.lock();
        lock.unlock();
        afterUnlock++; // expect race: afterUnlock
        try {
            lock.lock();
            try {
                throw new IllegalStateException();
            } finally {
                lock.unlock();
            }
        } catch (IllegalStateException e) {
            afterThrow++; // expect race: afterThrow
        }
    }

    void mix(ReentrantLock with) {
        with.lock();
        mixed++; // expect race: mixed
        with.unlock();
    }

    public static void main(String[] args) {
        ReentrantLockRaces o = new ReentrantLockRaces();
        inTurn(o::touch, o::touch, () -> o.mix(o.lock), () -> o.mix(o.fair), () -> o.mix(o.lock));
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
