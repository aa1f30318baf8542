package hangs;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** The same with virtual threads. */
public final class VirtualHangs {
    public static void run() {
        Object a = new Object();
        Lock b = new ReentrantLock();
        CountDownLatch both = new CountDownLatch(2);
        Thread.ofVirtual().name("virtual a-b").start(() -> Hangs.run(() -> {
            synchronized (a) { // taken
                Hangs.meet(both);
                b.lock(); // expect deadlock
            }
        }));
        Thread.ofVirtual().name("virtual b-a").start(() -> Hangs.run(() -> {
            b.lock(); // taken
            Hangs.meet(both);
            synchronized (a) { // expect deadlock
                System.out.println("never");
            }
        }));
    }
}
