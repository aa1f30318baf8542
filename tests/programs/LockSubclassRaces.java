import java.util.concurrent.locks.ReentrantLock;

/** A subclass of ReentrantLock: before super.lock() and after super.unlock() its own fields are unprotected. */
public class LockSubclassRaces {
    static class CountingLock extends ReentrantLock {
        int waiting;
        int holds;

        @Override
        public void lock() {
            waiting++; // expect race: waiting
            super.lock();
            holds++;
        }

        @Override
        public void unlock() {
            holds--;
            super.unlock();
            waiting--; // expect race: waiting
        }
    }

    public static void main(String[] args) {
        CountingLock lock = new CountingLock();
        Runnable task = () -> {
            lock.lock();
            lock.unlock();
        };
        inTurn(task, task);
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
