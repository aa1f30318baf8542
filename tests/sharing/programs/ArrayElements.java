import java.util.Arrays;
import java.util.List;

/** Objects in arrays: nested arrays, a clone, System.arraycopy, Arrays.asList and Arrays.copyOf of a shared one. */
public class ArrayElements {
    static class Cell {
        int element;
        int nested;
        int cloned;
        int copied;
        int listed;
        int filled;
    }

    static final Cell[] ARRAY = new Cell[2];
    static final Cell[][] GRID = new Cell[2][];

    public static void main(String[] args) throws Exception {
        Cell[] source = {new Cell()};
        Cell[] own = {new Cell(), new Cell()};
        ARRAY[0] = new Cell();
        GRID[1] = new Cell[] {new Cell()};
        System.arraycopy(source, 0, ARRAY, 1, 1);
        Cell[] clone = ARRAY.clone();
        List<Cell> list = Arrays.asList(ARRAY);
        Cell[] filled = new Cell[2];
        Arrays.fill(filled, Arrays.copyOf(ARRAY, 1)[0]);
        inThread(() -> {
            ARRAY[0].element++; // shared: element
            GRID[1][0].nested++; // shared: nested
            clone[1].cloned++; // shared: cloned
            ARRAY[1].copied++; // shared: copied
            list.get(0).listed++; // shared: listed
            filled[1].filled++; // shared: filled
        });
        ARRAY[0].element++; // shared: element
        GRID[1][0].nested++; // shared: nested
        ARRAY[1].cloned++; // shared: cloned
        source[0].copied++; // shared: copied
        ARRAY[0].listed++; // shared: listed
        ARRAY[0].filled++; // shared: filled
        own[0].element++; // local: element
        own[1].copied = own[0].element; // local: copied, element
        Cell[][] grid = {own, own.clone()};
        grid[1][0].nested++; // local: nested
        System.out.println(ARRAY[0].element + source[0].copied); // shared: element, copied
        System.out.println(own[0].nested); // local: nested
    }

    /** Runs the task in a thread of its own and waits for its end. */
    static void inThread(Runnable task) throws InterruptedException {
        Thread thread = new Thread(task);
        thread.start();
        thread.join();
    }
}
