/** Objects that go through a chain of calls, as Object, after long and double parameters, and back. */
public class LongWays {
    static class Cell {
        int chained;
        int slots;
        int mutual;
        int returned;
    }

    static Object end;
    static Cell mutualEnd;
    static Cell slotEnd;

    static void one(Object object) {
        two(object, 1);
    }

    static void two(Object object, int by) {
        three("x", object);
    }

    static void three(String text, Object object) {
        four(new Object[] {object});
    }

    static void four(Object[] objects) {
        five(objects[0]);
    }

    static void five(Object object) {
        end = object; // shared: end
    }

    static void slots(long a, double b, Cell local, long c, Cell leaks) {
        local.slots++; // local: slots
        leaks.slots++; // shared: slots
        slotEnd = leaks; // shared: slotEnd
    }

    static void even(int n, Cell cell) {
        if (n == 0) {
            mutualEnd = cell; // shared: mutualEnd
        } else {
            odd(n - 1, cell);
        }
    }

    static void odd(int n, Cell cell) {
        even(n - 1, cell);
    }

    static Cell back(Cell cell, int n) {
        return n == 0 ? cell : forth(cell, n - 1);
    }

    static Cell forth(Cell cell, int n) {
        return back(cell, n);
    }

    public static void main(String[] args) throws Exception {
        Cell cell = new Cell();
        Cell local = new Cell();
        one(cell);
        slots(1L, 2.0, local, 3L, cell);
        even(4, cell);
        Cell same = back(cell, 5);
        Thread thread = new Thread(() -> {
            ((Cell) end).chained++; // shared: end, chained
            slotEnd.slots++; // shared: slotEnd, slots
            mutualEnd.mutual++; // shared: mutualEnd, mutual
            same.returned++; // shared: returned
        });
        thread.start();
        thread.join();
        System.out.println(cell.chained + cell.slots); // shared: chained, slots
        System.out.println(cell.mutual + cell.returned); // shared: mutual, returned
        Cell mine = new Cell();
        mine.returned++; // local: returned
        mine.mutual = local.slots; // local: mutual, slots
        System.out.println(mine.mutual); // local: mutual
    }
}
