package prog;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import racewire.rt.Hooks;

/** One lock for all, taken in different company and depth, through conditions too: no race. */
public class SameLock {
    public static void main(String[] args) throws Exception {
        Cell cell = new Cell();
        Cell other = new Cell();
        ReentrantLock lock = new ReentrantLock();
        Condition never = lock.newCondition();
        Check.Body plain = () -> {
            Hooks.lock(lock);
            cell.add();
            Hooks.unlock(lock);
        };
        Check.Body nested = () -> {
            Hooks.beforeLock(other);
            synchronized (other) {
                Hooks.afterLock(other);
                Check.that(Hooks.tryLock(lock), "free");
                Hooks.lockInterruptibly(lock);
                cell.add();
                Hooks.awaitNanos(never, 1000);
                cell.add();
                Hooks.unlock(lock);
                // The monitor goes first: the lock below the top is released.
                Hooks.beforeUnlock(other);
            }
            cell.add();
            Hooks.unlock(lock);
            Check.locks();
        };
        Check.inTurn(plain, nested, plain, nested);
        System.out.println("ok");
    }
}
