package prog;

import racewire.rt.Hooks;

/** Each thread hands the cell to the next by starting it: no lock is needed. */
public class HandOver {
    public static void main(String[] args) throws Exception {
        Cell cell = new Cell();
        cell.add();
        Thread child = Check.thread("child", () -> {
            cell.add();
            Thread grandchild = Check.thread("grandchild", cell::add);
            Hooks.start(grandchild);
            Hooks.join(grandchild);
        });
        Hooks.start(child);
        Hooks.join(child, 0);
        Check.equal(3, cell.value);
        System.out.println("ok");
    }
}
