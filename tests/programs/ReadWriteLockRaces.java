import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** The read lock does not protect a write; after a downgrade only the read lock is left. */
public class ReadWriteLockRaces {
    final ReadWriteLock lock = new ReentrantReadWriteLock();
    int writtenUnderRead;
    int downgraded;
    int readOutside;

    void writeUnderRead() {
        lock.readLock().lock();
        try {
            writtenUnderRead++; // expect race: writtenUnderRead
        } finally {
            lock.readLock().unlock();
        }
    }

    void downgrade() {
        lock.writeLock().lock();
        lock.readLock().lock();
        lock.writeLock().unlock();
        downgraded++; // expect race: downgraded
        lock.readLock().unlock();
    }

    void write() {
        lock.writeLock().lock();
        readOutside++; // expect race: readOutside
        lock.writeLock().unlock();
    }

    void read() {
        System.out.println(readOutside); // expect race: readOutside
    }

    public static void main(String[] args) {
        ReadWriteLockRaces o = new ReadWriteLockRaces();
        inTurn(o::writeUnderRead, o::writeUnderRead, o::downgrade, o::downgrade, o::write, o::read, o::write);
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
