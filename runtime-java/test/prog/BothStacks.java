// expect race prog.Cell.value
// expect both stacks
package prog;

/** The pair recurs, so the earlier access is caught with its stack the second time. */
public class BothStacks {
    static void outer(Cell cell) {
        inner(cell);
    }

    static void inner(Cell cell) {
        cell.set(1);
    }

    public static void main(String[] args) throws Exception {
        Cell first = new Cell();
        Cell second = new Cell();
        java.util.concurrent.CyclicBarrier barrier = new java.util.concurrent.CyclicBarrier(2);
        Check.together(() -> {
            outer(first);
            barrier.await();
            barrier.await();
            outer(second);
            barrier.await();
        }, () -> {
            barrier.await();
            first.set(2);
            barrier.await();
            barrier.await();
            second.set(2);
        });
        System.out.println("ok");
    }
}
