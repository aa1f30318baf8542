/** Records are shallow: a mutable object in a published record is shared, one in a record that is dropped is not. */
public class RecordsHoldingObjects {
    static class Cell {
        int value;
        int inner;
    }

    record Pair(Cell left, Cell right) {
        Pair swap() {
            return new Pair(right, left);
        }
    }

    record Nested(Pair pair, String name) {
    }

    public static void main(String[] args) throws Exception {
        record Local(Cell cell) {
        }
        Cell cell = new Cell();
        Cell inner = new Cell();
        Pair pair = new Pair(cell, new Cell());
        Nested nested = new Nested(new Pair(inner, inner), "n");
        Local local = new Local(new Cell());
        Thread thread = new Thread(() -> {
            pair.swap().right().value++; // shared: value
            nested.pair().left().inner++; // shared: inner
        });
        thread.start();
        thread.join();
        System.out.println(cell.value + inner.inner); // shared: value, inner
        local.cell().value++; // local: value
        Pair dropped = new Pair(new Cell(), local.cell()).swap();
        dropped.left().value++; // local: value
        System.out.println(dropped.left().value); // local: value
    }
}
