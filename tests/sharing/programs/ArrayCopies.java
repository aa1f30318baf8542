import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What leaves through toArray, subList, unmodifiable, synchronized and reversed views of a published list. */
public class ArrayCopies {
    static class Cell {
        int array;
        int sub;
        int wrapped;
        int locked;
    }

    static Object[] published;
    static List<Cell> view;
    static List<Cell> unmodifiable;
    static List<Cell> synced;

    public static void main(String[] args) throws Exception {
        List<Cell> list = new ArrayList<>();
        list.add(new Cell());
        list.add(new Cell());
        published = list.toArray(); // shared: published
        view = list.subList(1, 2); // shared: view
        unmodifiable = Collections.unmodifiableList(list); // shared: unmodifiable
        synced = Collections.synchronizedList(list); // shared: synced
        Thread thread = new Thread(() -> {
            ((Cell) published[0]).array++; // shared: published, array
            view.get(0).sub++; // shared: view, sub
            unmodifiable.get(0).wrapped++; // shared: unmodifiable, wrapped
            synced.get(1).locked++; // shared: synced, locked
        });
        thread.start();
        thread.join();
        list.get(0).array++; // shared: array
        list.get(1).sub++; // shared: sub
        list.get(0).wrapped++; // shared: wrapped
        list.get(1).locked++; // shared: locked
        List<Cell> own = Collections.synchronizedList(new ArrayList<>(List.of(new Cell())));
        own.get(0).array++; // local: array
        own.subList(0, 1).get(0).sub++; // local: sub
        System.out.println(own.get(0).sub); // local: sub
    }
}
