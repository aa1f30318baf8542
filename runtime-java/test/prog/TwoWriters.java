// expect race prog.Cell.value
// expect race prog.Cell.total
package prog;

/** Figure 1 of the paper: two threads, one counter, no lock. */
public class TwoWriters {
    public static void main(String[] args) throws Exception {
        Cell cell = new Cell();
        Check.inTurn(cell::add, cell::add);
        Check.inTurn(Cell::addTotal, Cell::addTotal);
        System.out.println("ok");
    }
}
