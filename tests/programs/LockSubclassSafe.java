import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

// expect none
/** A subclass of ReentrantLock that calls super, used by its own type, by its superclass and as a Lock. */
public class LockSubclassSafe {
    static class CountingLock extends ReentrantLock {
        int holds;

        @Override
        public void lock() {
            super.lock();
            holds++;
        }

        @Override
        public void unlock() {
            holds--;
            super.unlock();
        }
    }

    static class Plain extends ReentrantLock {
    }

    final CountingLock lock = new CountingLock();
    final Plain plain = new Plain();
    int count;
    int other;

    void touch() {
        lock.lock();
        count++;
        lock.unlock();
        ReentrantLock asClass = lock;
        asClass.lock();
        count++;
        asClass.unlock();
        Lock asInterface = lock;
        asInterface.lock();
        count++;
        System.out.println(count + " " + lock.holds);
        asInterface.unlock();
        plain.lock();
        other++;
        plain.unlock();
    }

    public static void main(String[] args) {
        LockSubclassSafe o = new LockSubclassSafe();
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
