package prog;

import racewire.rt.Hooks;

/** The owner's monitor is held, but under another lock, and twice: it protects all the same. */
public class OwnerBelow {
    public static void main(String[] args) throws Exception {
        Cell cell = new Cell();
        Object inner = new Object();
        Check.Body deep = () -> {
            Hooks.beforeLock(cell);
            synchronized (cell) {
                Hooks.afterLock(cell);
                Hooks.beforeLock(inner);
                synchronized (inner) {
                    Hooks.afterLock(inner);
                    cell.add();
                    cell.lockedAdd();
                    Hooks.beforeUnlock(inner);
                }
                cell.add();
                Hooks.beforeUnlock(cell);
            }
        };
        Check.inTurn(cell::lockedAdd, deep, cell::lockedAdd, deep);
        System.out.println("ok");
    }
}
