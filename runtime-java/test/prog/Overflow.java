// expect race prog.Cell.value
package prog;

/** A site without a bit of its own is seen all the same. */
public class Overflow {
    public static void main(String[] args) throws Exception {
        Cell cell = new Cell();
        Check.inTurn(() -> cell.overflowSet(1), () -> cell.overflowSet(2));
        System.out.println("ok");
    }
}
