import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

// expect none
/** Reads under the read lock, writes under the write lock; downgrading; views kept in fields; tryLock of both. */
public class ReadWriteLockSafe {
    private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
    private final Lock reading = lock.readLock();
    private final Lock writing = lock.writeLock();
    private int value;
    private String text = "";

    void write() {
        writing.lock();
        try {
            value++;
            text = text + value;
            lock.readLock().lock();
        } finally {
            writing.unlock();
        }
        System.out.println(text);
        reading.unlock();
    }

    void read() {
        reading.lock();
        try {
            System.out.println(value + text);
        } finally {
            reading.unlock();
        }
    }

    void attempt() {
        if (lock.writeLock().tryLock()) {
            value += 10;
            lock.writeLock().unlock();
        }
        if (lock.readLock().tryLock()) {
            System.out.println(value);
            lock.readLock().unlock();
        }
    }

    public static void main(String[] args) {
        ReadWriteLockSafe o = new ReadWriteLockSafe();
        inTurn(o::write, o::read, o::attempt, o::read, o::write);
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
