// expect race prog.Cell.value
package prog;

import java.util.concurrent.CountDownLatch;
import racewire.rt.Hooks;

/** A second, failing start of a running thread makes nothing visible to it: this race must be reported. */
public class FailedStart {
    public static void main(String[] args) throws Exception {
        Cell cell = new Cell();
        CountDownLatch go = new CountDownLatch(1);
        Thread child = Check.thread("child", () -> {
            go.await();
            cell.add();
        });
        Hooks.start(child);
        cell.add();
        try {
            Hooks.start(child);
        } catch (IllegalThreadStateException expected) {
            go.countDown();
        }
        child.join();
        System.out.println("ok");
    }
}
