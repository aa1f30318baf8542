import java.util.Date;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

// expect none
/** All five forms of await(): the lock is held again afterwards. */
public class ConditionSafe {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private int turn;
    private long sum;

    void take(int mine) throws InterruptedException {
        lock.lock();
        lock.lock();
        try {
            while (turn % 5 != mine) {
                switch (mine) {
                    case 0 -> changed.await();
                    case 1 -> changed.awaitUninterruptibly();
                    case 2 -> changed.awaitNanos(100_000_000);
                    case 3 -> changed.await(100, TimeUnit.MILLISECONDS);
                    default -> changed.awaitUntil(new Date(System.currentTimeMillis() + 100));
                }
                sum += 0;
            }
            turn++;
            sum += mine;
            changed.signalAll();
        } finally {
            lock.unlock();
            lock.unlock();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        ConditionSafe o = new ConditionSafe();
        Thread[] threads = new Thread[5];
        for (int t = 0; t < threads.length; t++) {
            int mine = t;
            threads[t] = new Thread(() -> {
                try {
                    for (int i = 0; i < 10; i++) {
                        o.take(mine);
                    }
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            threads[t].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        o.lock.lock();
        System.out.println(o.turn + " " + o.sum);
        o.lock.unlock();
    }
}
