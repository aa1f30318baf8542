import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Locks taken and released through method references: after the release nothing is protected. */
public class LockReferenceRaces {
    final ReentrantLock lock = new ReentrantLock();
    int bound;
    int unbound;
    int attempted;

    void touch() {
        Runnable lockIt = lock::lock;
        Runnable unlockIt = lock::unlock;
        lockIt.run();
        unlockIt.run();
        bound++; // expect race: bound

        Consumer<Lock> locker = Lock::lock;
        Consumer<Lock> unlocker = Lock::unlock;
        locker.accept(lock);
        unlocker.accept(lock);
        unbound++; // expect race: unbound

        BooleanSupplier attempt = lock::tryLock;
        System.out.println(attempt.getAsBoolean());
        lock.unlock();
        attempted++; // expect race: attempted
    }

    public static void main(String[] args) {
        LockReferenceRaces o = new LockReferenceRaces();
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
