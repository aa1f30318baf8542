// expect race prog.Cell.value
package prog;

import java.util.concurrent.locks.ReentrantLock;
import racewire.rt.Hooks;

/** Two locks, one for each thread: no protection. The cell's own monitor is no help to the one that lacks it. */
public class DifferentLocks {
    public static void main(String[] args) throws Exception {
        Cell cell = new Cell();
        ReentrantLock lock = new ReentrantLock();
        Check.inTurn(() -> {
            Hooks.lock(lock);
            cell.add();
            Hooks.unlock(lock);
        }, cell::lockedAdd);
        System.out.println("ok");
    }
}
