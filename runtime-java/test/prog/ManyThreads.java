package prog;

import java.util.concurrent.locks.ReentrantLock;
import racewire.rt.Hooks;

/** Many short threads, more than the thread table has room for at first, all under one lock. */
public class ManyThreads {
    public static void main(String[] args) throws Exception {
        Cell cell = new Cell();
        ReentrantLock lock = new ReentrantLock();
        Thread[] threads = new Thread[700];
        for (int round = 0; round < 3; round++) {
            java.util.concurrent.CountDownLatch all = new java.util.concurrent.CountDownLatch(threads.length);
            for (int i = 0; i < threads.length; i++) {
                threads[i] = Check.thread("t" + i, () -> {
                    for (int k = 0; k < 20; k++) {
                        Hooks.lock(lock);
                        cell.add();
                        Hooks.unlock(lock);
                        all.countDown();
                    }
                    // All alive at once, so that they collide in a small table.
                    all.await();
                    Hooks.lock(lock);
                    cell.add();
                    Hooks.unlock(lock);
                });
                Hooks.start(threads[i]);
            }
            for (Thread t : threads) {
                Hooks.join(t);
            }
        }
        Check.equal(3 * threads.length * 21, cell.value);
        System.out.println("ok");
    }
}
