// expect race prog.Cell.value
package prog;

/** What the parent does after the start is not visible to the child: its period has changed. */
public class AfterStart {
    public static void main(String[] args) throws Exception {
        Cell cell = new Cell();
        cell.add();
        java.util.concurrent.CountDownLatch written = new java.util.concurrent.CountDownLatch(1);
        Thread child = Check.thread("child", () -> {
            written.await();
            cell.add();
        });
        racewire.rt.Hooks.start(child);
        cell.add();
        written.countDown();
        child.join();
        System.out.println("ok");
    }
}
