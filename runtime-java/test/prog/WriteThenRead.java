// expect race prog.Cell.value
package prog;

/** A write and then a read by another thread: reported, though the reader only reads. */
public class WriteThenRead {
    public static void main(String[] args) throws Exception {
        Cell cell = new Cell();
        Check.inTurn(() -> cell.set(1), cell::get);
        System.out.println("ok");
    }
}
