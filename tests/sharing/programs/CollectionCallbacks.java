import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;

/** Callbacks that collections call at once (forEach, computeIfAbsent, merge, removeIf, replaceAll) and that leak. */
public class CollectionCallbacks {
    static class Cell {
        int each;
        int computed;
        int merged;
        int removed;
        int replaced;
        int iterated;
        int calm;
    }

    static final Cell[] LEAKED = new Cell[6];

    static Cell leak(int index, Cell cell) {
        LEAKED[index] = cell;
        return cell;
    }

    public static void main(String[] args) throws Exception {
        List<Cell> list = new ArrayList<>(List.of(new Cell(), new Cell()));
        Map<String, Cell> map = new HashMap<>();
        list.forEach(cell -> leak(0, cell));
        Cell computed = map.computeIfAbsent("a", key -> leak(1, new Cell()));
        map.merge("a", new Cell(), (a, b) -> leak(2, b));
        Cell gone = list.get(0);
        list.removeIf(cell -> leak(3, cell) == gone);
        list.add(0, gone);
        list.replaceAll(cell -> leak(4, new Cell()));
        ListIterator<Cell> iterator = list.listIterator();
        LEAKED[5] = iterator.next();
        iterator.remove();
        Cell last = LEAKED[5];
        Thread thread = new Thread(() -> {
            LEAKED[0].each++; // shared: each
            LEAKED[1].computed++; // shared: computed
            LEAKED[2].merged++; // shared: merged
            LEAKED[3].removed++; // shared: removed
            LEAKED[4].replaced++; // shared: replaced
            LEAKED[5].iterated++; // shared: iterated
        });
        thread.start();
        thread.join();
        LEAKED[0].each++; // shared: each
        computed.computed++; // shared: computed
        map.get("a").merged++; // shared: merged
        LEAKED[3].removed++; // shared: removed
        list.get(0).replaced++; // shared: replaced
        last.iterated++; // shared: iterated
        List<Cell> own = new ArrayList<>(List.of(new Cell()));
        own.forEach(cell -> cell.calm++); // local: calm
        own.removeIf(cell -> cell.calm++ == 7); // local: calm
        for (Iterator<Cell> it = own.iterator(); it.hasNext(); it.remove()) {
            System.out.println(it.next().calm); // local: calm
        }
    }
}
