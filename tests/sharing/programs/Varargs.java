import java.util.Arrays;
import java.util.List;

/** Objects in an array of variable arguments: one method leaks them, the other only looks at them. */
public class Varargs {
    static class Cell {
        int value;
        int listed;
    }

    static Object[] leaked;
    static List<Cell> list;

    static void leak(Object... objects) {
        leaked = objects; // shared: leaked
    }

    static List<Cell> list(Cell... items) {
        return Arrays.asList(items);
    }

    static int look(Cell... cells) {
        int sum = 0;
        for (Cell cell : cells) {
            sum += cell.value++; // local: value
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        Cell cell = new Cell();
        leak("text", 1, cell);
        list = list(new Cell(), cell); // shared: list
        Thread thread = new Thread(() -> {
            ((Cell) leaked[2]).value++; // shared: leaked, value
            list.get(1).listed++; // shared: list, listed
        });
        thread.start();
        thread.join();
        System.out.println(cell.value + cell.listed); // shared: value, listed
        Cell mine = new Cell();
        System.out.println(look(mine, new Cell(), mine));
        System.out.println(mine.value); // local: value
    }
}
