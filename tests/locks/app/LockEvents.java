package app;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import probe.Log;
import racewire.rt.Inspect;

/**
 * Every way to take and leave a lock. In the expected events {@code +} means that the thread holds the lock at
 * that moment: "want" must come before it is taken, "got" after, "leave" before it is given back, "left" after.
 * Only around a {@code wait} do all four come with the lock held: nothing can be called in the middle of it.
 */
public class LockEvents {
    private static Log log;

    public static void main(String[] args) throws Exception {
        log = new Log();
        if (!Inspect.isMonitoring()) {
            System.out.println("FAILED not monitoring");
            return;
        }
        Inspect.setListener(log);
        blocks();
        methods();
        exceptions();
        waiting();
        reentrantLocks();
        readWriteLocks();
        Inspect.setListener(null);
        System.out.println("failures " + log.failures());
    }

    private static void blocks() {
        Object a = new Object();
        Object b = new Object();
        log.name(a, "a").name(b, "b");
        synchronized (a) {
            log.held(1);
        }
        log.expect("block", "want a-", "got a+", "held 1", "leave a+", "left a-");
        synchronized (a) {
            synchronized (b) {
                log.held(2);
            }
            log.held(1);
        }
        log.expect("nested blocks", "want a-", "got a+", "want b-", "got b+", "held 2", "leave b+", "left b-",
                "held 1", "leave a+", "left a-");
        synchronized (a) {
            synchronized (a) {
                log.held(2);
            }
            log.held(1);
        }
        log.expect("re-entered block", "want a-", "got a+", "want a+", "got a+", "held 2", "leave a+", "left a+",
                "held 1", "leave a+", "left a-");
        for (int i = 0; i < 3; i++) {
            synchronized (a) {
                if (i == 1) {
                    continue;
                }
                if (i == 2) {
                    break;
                }
            }
        }
        log.expect("continue and break", "want a-", "got a+", "leave a+", "left a-", "want a-", "got a+", "leave a+",
                "left a-", "want a-", "got a+", "leave a+", "left a-");
        try {
            Object none = args0();
            synchronized (none) {
                log.note("inside");
            }
        } catch (NullPointerException e) {
            log.note("null");
        }
        log.expect("block on null", "null");
    }

    private static Object args0() {
        return null;
    }

    static class Base {
        synchronized int twice(int n) {
            log.held(Inspect.heldLocks().length);
            return n * 2;
        }

        static synchronized void shared() {
            log.held(1);
        }

        synchronized int deep(int n) {
            return n == 0 ? 0 : 1 + deep(n - 1);
        }

        synchronized void fail() {
            throw new IllegalStateException("fail");
        }
    }

    static class Derived extends Base {
        @Override
        synchronized int twice(int n) {
            return super.twice(n) + 1;
        }

        static synchronized long failShared(long n) {
            if (n == 1) {
                throw new IllegalArgumentException("one");
            }
            return n;
        }
    }

    private static void methods() {
        Base base = new Base();
        log.name(base, "m").name(Base.class, "B").name(Derived.class, "D");
        base.twice(3);
        log.expect("synchronized method", "want m-", "got m+", "held 1", "leave m+", "left m-");
        Base.shared();
        log.expect("static synchronized method", "want B-", "got B+", "held 1", "leave B+", "left B-");
        base.deep(1);
        log.expect("recursion", "want m-", "got m+", "want m+", "got m+", "leave m+", "left m+", "leave m+", "left m-");
        Derived derived = new Derived();
        log.name(derived, "d");
        derived.twice(1);
        log.expect("super call", "want d-", "got d+", "want d+", "got d+", "held 2", "leave d+", "left d+", "leave d+",
                "left d-");
    }

    private static void exceptions() {
        Base base = new Base();
        Object a = new Object();
        log.name(base, "m").name(a, "a");
        try {
            base.fail();
        } catch (IllegalStateException e) {
            log.note(e.getMessage());
        }
        log.expect("method that throws", "want m-", "got m+", "leave m+", "left m-", "fail");
        try {
            Derived.failShared(1);
        } catch (IllegalArgumentException e) {
            log.note(e.getMessage());
        }
        log.expect("static method that throws", "want D-", "got D+", "leave D+", "left D-", "one");
        try {
            synchronized (a) {
                base.fail();
            }
        } catch (IllegalStateException e) {
            log.note(e.getMessage());
        }
        log.expect("block that throws", "want a-", "got a+", "want m-", "got m+", "leave m+", "left m-", "leave a+",
                "left a-", "fail");
    }

    private static void waiting() throws Exception {
        Object a = new Object();
        Object b = new Object();
        log.name(a, "a").name(b, "b");
        synchronized (a) {
            a.wait(5);
            log.held(1);
        }
        log.expect("wait", "want a-", "got a+", "leave a+", "left a+", "want a+", "got a+", "held 1", "leave a+", "left a-");
        synchronized (a) {
            synchronized (b) {
                synchronized (a) {
                    log.held(3);
                    a.wait(5);
                    log.held(3);
                }
                log.held(2);
            }
        }
        log.expect("wait while held twice", "want a-", "got a+", "want b-", "got b+", "want a+", "got a+", "held 3",
                "leave a+", "left a+", "want a+", "got a+", "held 3", "leave a+", "left a+", "held 2", "leave b+", "left b-", "leave a+",
                "left a-");
        synchronized (a) {
            Thread.currentThread().interrupt();
            try {
                a.wait();
            } catch (InterruptedException e) {
                log.note("interrupted");
            }
            log.held(1);
        }
        log.expect("interrupted wait", "want a-", "got a+", "leave a+", "left a+", "want a+", "got a+", "interrupted", "held 1", "leave a+",
                "left a-");
        try {
            a.wait(5);
        } catch (IllegalMonitorStateException e) {
            log.held(0);
        }
        log.heldAfter("wait without the lock", "held 0");
    }

    private static void reentrantLocks() throws Exception {
        ReentrantLock r = new ReentrantLock();
        ReentrantLock s = new ReentrantLock();
        log.name(r, "r").name(s, "s");
        r.lock();
        log.held(1);
        r.unlock();
        log.expect("lock", "want r-", "got r+", "held 1", "leave r+", "left r-");
        r.lock();
        r.lock();
        log.held(2);
        r.unlock();
        r.unlock();
        log.expect("lock twice", "want r-", "got r+", "want r+", "got r+", "held 2", "leave r+", "left r+", "leave r+",
                "left r-");
        r.lock();
        s.lock();
        r.unlock();
        log.held(1);
        s.unlock();
        log.expect("hand over hand", "want r-", "got r+", "want s-", "got s+", "leave r+", "left r-", "held 1",
                "leave s+", "left s-");
        if (r.tryLock()) {
            log.held(1);
            r.unlock();
        }
        if (r.tryLock(5, TimeUnit.MILLISECONDS)) {
            log.held(1);
            r.unlock();
        }
        log.heldAfter("tryLock", "held 1", "held 1");
        Thread other = new Thread(r::lock);
        other.start();
        other.join();
        if (!r.tryLock()) {
            log.held(0);
        }
        if (!r.tryLock(5, TimeUnit.MILLISECONDS)) {
            log.held(0);
        }
        Thread.currentThread().interrupt();
        try {
            r.lockInterruptibly();
        } catch (InterruptedException e) {
            log.held(0);
        }
        try {
            r.unlock();
        } catch (IllegalMonitorStateException e) {
            log.held(0);
        }
        log.heldAfter("locks that are not given", "held 0", "held 0", "held 0", "held 0");
        Condition c = s.newCondition();
        s.lock();
        s.lock();
        c.await(5, TimeUnit.MILLISECONDS);
        log.held(2);
        c.awaitNanos(1000);
        log.held(2);
        s.unlock();
        s.unlock();
        log.heldAfter("condition", "held 2", "held 2");
    }

    private static void readWriteLocks() {
        ReentrantReadWriteLock w = new ReentrantReadWriteLock();
        log.name(w.readLock(), "w");
        w.readLock().lock();
        w.readLock().lock();
        log.held(2);
        log.note(Inspect.heldLocks()[1].endsWith(" (read)") ? "read" : "write");
        w.readLock().unlock();
        w.readLock().unlock();
        w.writeLock().lock();
        w.readLock().lock();
        log.note(Inspect.heldLocks()[0].endsWith(" (read)") ? "read" : "write");
        w.writeLock().unlock();
        log.held(1);
        log.note(Inspect.heldLocks()[0].endsWith(" (read)") ? "read" : "write");
        w.readLock().unlock();
        log.heldAfter("read and write lock", "held 2", "read", "write", "held 1", "read");
    }
}
