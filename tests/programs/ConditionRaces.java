import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** await() gives the lock back when it returns; after unlock() the access is unprotected all the same. */
public class ConditionRaces {
    final Lock lock = new ReentrantLock();
    final Condition changed = lock.newCondition();
    int turn;
    int after;

    void take(int mine) {
        lock.lock();
        try {
            while (turn != mine) {
                changed.awaitUninterruptibly();
            }
            turn++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        after++; // expect race: after
    }

    public static void main(String[] args) {
        ConditionRaces o = new ConditionRaces();
        Thread other = new Thread(() -> o.take(1));
        other.start();
        o.take(0);
        finish(other);
        System.out.println("done");
    }

    /** Unlike join() this is no synchronization (JLS 17.4.5), for whatever detector. */
    static void finish(Thread thread) {
        while (thread.getState() != Thread.State.TERMINATED) {
            Thread.yield();
        }
    }
}
