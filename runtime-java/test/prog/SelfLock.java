package prog;

/** Every object is guarded by its own monitor: many objects, few epochs, no race. */
public class SelfLock {
    public static void main(String[] args) throws Exception {
        Cell[] cells = new Cell[2000];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = new Cell();
        }
        Check.Body work = () -> {
            for (int round = 0; round < 50; round++) {
                for (Cell cell : cells) {
                    cell.lockedAdd();
                }
            }
        };
        Check.inTurn(work, work, work);
        Check.equal(150, cells[7].value);
        System.out.println("ok");
    }
}
