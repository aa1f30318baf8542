// expect race prog.Cell.total
package prog;

import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;
import racewire.rt.Hooks;

/** Readers under the read lock and writers under the write lock are safe; a write under the read lock is not. */
public class ReadLocks {
    public static void main(String[] args) throws Exception {
        Cell cell = new Cell();
        ReentrantReadWriteLock rw = new ReentrantReadWriteLock();
        Check.Body read = () -> {
            Hooks.lock(rw.readLock());
            Check.locks("java.util.concurrent.locks.ReentrantReadWriteLock (read)");
            cell.get();
            Hooks.unlock(rw.readLock());
        };
        Check.Body write = () -> {
            Hooks.lock(rw.writeLock());
            cell.add();
            Hooks.unlock(rw.writeLock());
        };
        Check.inTurn(write, read, read, write, read);

        Cell stamped = new Cell();
        StampedLock s = new StampedLock();
        Check.inTurn(() -> {
            Hooks.lock(s.asWriteLock());
            stamped.add();
            Hooks.unlock(s.asWriteLock());
        }, () -> {
            Hooks.lock(s.asReadWriteLock().readLock());
            stamped.get();
            Hooks.unlock(s.asReadWriteLock().readLock());
        });

        Check.Body wrong = () -> {
            Hooks.lock(rw.readLock());
            Cell.addTotal();
            Hooks.unlock(rw.readLock());
        };
        Check.inTurn(wrong, wrong);
        System.out.println("ok");
    }
}
