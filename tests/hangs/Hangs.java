package hangs;

import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Threads that wait for each other for ever, and others that only look as if they did. The JVM never ends by itself.
 * A file says when the living have come to their end. Lines where a thread waits for ever are marked, and those where it took the lock that the thread before it waits for.
 */
public final class Hangs {
    public static void main(String[] args) throws Exception {
        twoMonitors();
        threeLocksOfAllKinds();
        readerThatBecomesWriter();
        notifiedInVain();
        Thread[] live = {slowHolder(), gated(), timed()};
        if (Runtime.version().feature() >= 21) {
            Class.forName("hangs.VirtualHangs").getMethod("run").invoke(null);
        }
        for (Thread thread : live) {
            thread.join();
        }
        Files.createFile(Paths.get(args[0]));
    }

    interface Body {
        void run() throws Exception;
    }

    static Thread start(String name, Body body) {
        Thread thread = new Thread(() -> run(body), name);
        thread.start();
        return thread;
    }

    static void run(Body body) {
        try {
            body.run();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** All have come so far. */
    static void meet(CountDownLatch all) throws InterruptedException {
        all.countDown();
        all.await();
    }

    private static void twoMonitors() {
        Object a = new Object();
        Object b = new Object();
        CountDownLatch both = new CountDownLatch(2);
        start("a-b", () -> {
            synchronized (a) { // taken
                meet(both);
                synchronized (b) { // expect deadlock
                    System.out.println("never");
                }
            }
        });
        start("b-a", () -> {
            synchronized (b) { // taken
                meet(both);
                synchronized (a) { // expect deadlock
                    System.out.println("never");
                }
            }
        });
    }

    static final class Account {
        synchronized void use(Body body) throws Exception {
            body.run();
        }
    }

    private static void threeLocksOfAllKinds() {
        Object monitor = new Object();
        Lock lock = new ReentrantLock();
        Account account = new Account();
        CountDownLatch all = new CountDownLatch(3);
        start("monitor-lock", () -> {
            synchronized (monitor) { // taken
                meet(all);
                lock.lock(); // expect deadlock
            }
        });
        start("lock-method", () -> {
            lock.lock(); // taken
            meet(all);
            account.use(() -> {}); // expect deadlock
        });
        start("method-monitor", () -> {
            account.use(() -> { // taken
                meet(all);
                synchronized (monitor) { // expect deadlock
                    System.out.println("never");
                }
            });
        });
    }

    private static void readerThatBecomesWriter() {
        ReentrantReadWriteLock lock = new ReentrantReadWriteLock();
        start("upgrade", () -> {
            lock.readLock().lock(); // taken
            lock.writeLock().lock(); // expect deadlock
        });
    }

    private static void notifiedInVain() {
        Object a = new Object();
        Object b = new Object();
        CountDownLatch waits = new CountDownLatch(1);
        start("sleeper", () -> {
            synchronized (a) { // taken
                synchronized (b) {
                    waits.countDown();
                    b.wait(); // expect deadlock
                }
            }
        });
        start("waker", () -> {
            waits.await();
            synchronized (b) { // taken
                b.notify();
                synchronized (a) { // expect deadlock
                    System.out.println("never");
                }
            }
        });
    }

    // ---- alive

    /** One waits for long, with a lock in its hands, but the other does not want that. */
    private static Thread slowHolder() throws Exception {
        Object slow = new Object();
        Object other = new Object();
        CountDownLatch held = new CountDownLatch(1);
        start("slow", () -> {
            synchronized (slow) {
                held.countDown();
                Thread.sleep(2500);
            }
        });
        held.await();
        return start("patient", () -> {
            synchronized (other) {
                synchronized (slow) {
                    System.out.println("slow, but alive");
                }
            }
        });
    }

    /** Two orders, but one at a time: looked at in pieces it may look like a circle. */
    private static Thread gated() {
        Object gate = new Object();
        Object a = new Object();
        Object b = new Object();
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(3);
        start("gated a-b", () -> {
            while (System.nanoTime() < end) {
                synchronized (gate) { synchronized (a) { synchronized (b) { Thread.sleep(1); } } }
            }
        });
        return start("gated b-a", () -> {
            while (System.nanoTime() < end) {
                synchronized (gate) { synchronized (b) { synchronized (a) { Thread.sleep(1); } } }
            }
        });
    }

    /** A circle that one of the two gives up. */
    private static Thread timed() {
        Lock a = new ReentrantLock();
        Lock b = new ReentrantLock();
        CountDownLatch both = new CountDownLatch(2);
        start("gives up", () -> {
            a.lock();
            meet(both);
            if (b.tryLock(2500, TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("who has unlocked it?");
            }
            a.unlock();
        });
        return start("gets it", () -> {
            b.lock();
            meet(both);
            a.lock();
        });
    }
}
