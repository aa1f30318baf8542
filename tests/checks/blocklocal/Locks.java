package blocklocal;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Section 4: nested and re-entrant locks, calls, wait; and the locks of java.util.concurrent. */
public class Locks {
    final Object outer = new Object();
    final Object inner = new Object();
    final ReentrantLock lock = new ReentrantLock();
    final Condition changed = lock.newCondition();
    final ReadWriteLock both = new ReentrantReadWriteLock();
    int count;
    int limit;

    public synchronized int get() {
        return count;
    }

    public synchronized void set(int value) {
        count = value;
    }

    public void others(int value) {
        synchronized (inner) {
            count = value;
            limit = value;
        }
    }

    /** The inner lock is given back, and its value used under the outer one. */
    public void nested() {
        synchronized (outer) {
            int value;
            synchronized (inner) {
                value = count;
            }
            limit = value; // expect block-local?; plain block-local; without same-lock block-local
        }
    }

    /** What was read under the outer lock is used while that is held: only the letter of the definition objects. */
    public void stillHeld() {
        synchronized (outer) {
            int value = count;
            synchronized (inner) {
                limit = value + 1; // plain block-local stale-value; without still-held block-local
            }
        }
    }

    /** A lock that is held already protects on. */
    public synchronized void reentrant() {
        int value;
        synchronized (this) {
            value = count;
        }
        count = value + 1;
    }

    /** The called method's own critical section. */
    public void twice() {
        int value = get();
        set(value * 2); // expect block-local stale-value; plain block-local stale-value
    }

    /** The same under the lock: then the methods take it only again. */
    public synchronized void twiceLocked() {
        int value = get();
        set(value * 2);
    }

    private static Locks only;
    private static Locks last;

    public static synchronized Locks only() {
        return only;
    }

    /** Which object is called does not get old by what its method does. */
    public void chained() {
        only().register(); // expect block-local? stale-value?; plain block-local?; without same-lock block-local?
    }

    private void register() {
        synchronized (Locks.class) {
            only = last;
            last = this;
        }
    }

    public synchronized void waits() throws InterruptedException {
        int value = count;
        wait();
        count = value + 1; // expect block-local stale-value; plain block-local stale-value
    }

    public void awaits() throws InterruptedException {
        lock.lock();
        try {
            int value = limit;
            changed.await();
            limit = value + 1; // expect block-local stale-value; plain block-local stale-value
        } finally {
            lock.unlock();
        }
    }

    public void twoLocks() {
        int value;
        lock.lock();
        try {
            value = limit;
        } finally {
            lock.unlock();
        }
        lock.lock();
        try {
            limit = value + 1; // expect block-local stale-value; plain block-local stale-value
        } finally {
            lock.unlock();
        }
    }

    public void upgraded() {
        int value;
        both.readLock().lock();
        try {
            value = limit;
        } finally {
            both.readLock().unlock();
        }
        both.writeLock().lock();
        try {
            limit = value + 1; // expect block-local stale-value; plain block-local stale-value
        } finally {
            both.writeLock().unlock();
        }
    }

    public void oneLock() {
        lock.lock();
        try {
            int value = limit;
            limit = value + 1;
        } finally {
            lock.unlock();
        }
    }

    /** Nobody knows what the other lock has to do with it. */
    public void otherLock() {
        int value;
        synchronized (outer) {
            value = count;
        }
        synchronized (inner) {
            limit = value; // expect block-local?; plain block-local stale-value; without same-lock block-local stale-value
        }
    }
}
