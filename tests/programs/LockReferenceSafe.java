import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

// expect none
/** Locks taken and released through method references, bound and unbound, of the class and of the interface. */
public class LockReferenceSafe {
    final ReentrantLock lock = new ReentrantLock();
    final Lock same = lock;
    int count;

    void guarded(Runnable lockIt, Runnable unlockIt) {
        lockIt.run();
        try {
            count++;
            System.out.println(count);
        } finally {
            unlockIt.run();
        }
    }

    void touch() {
        guarded(lock::lock, lock::unlock);
        guarded(same::lock, same::unlock);
        Consumer<Lock> locker = Lock::lock;
        Consumer<ReentrantLock> unlocker = ReentrantLock::unlock;
        locker.accept(lock);
        count++;
        unlocker.accept(lock);
        BooleanSupplier attempt = lock::tryLock;
        if (attempt.getAsBoolean()) {
            count++;
            lock.unlock();
        }
    }

    public static void main(String[] args) {
        LockReferenceSafe o = new LockReferenceSafe();
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
