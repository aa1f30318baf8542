import java.util.AbstractList;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Subclasses of JDK collections whose overridden methods leak what passes, called from JDK code as well. */
public class JdkSubclasses {
    static Cell leaked;
    static Cell eldest;

    static class Cell {
        int put;
        int added;
        int removed;
    }

    static class LeakyMap extends HashMap<String, Cell> {
        private static final long serialVersionUID = 1;

        @Override
        public Cell put(String key, Cell value) {
            leaked = value; // shared: leaked
            return super.put(key, value);
        }
    }

    static class Cache extends LinkedHashMap<String, Cell> {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Cell> entry) {
            eldest = entry.getValue(); // shared: eldest
            return true;
        }
    }

    static class LeakyList extends ArrayList<Cell> {
        private static final long serialVersionUID = 1;

        @Override
        public boolean add(Cell cell) {
            leaked = cell; // shared: leaked
            return super.add(cell);
        }
    }

    /** Overrides what JDK code calls, too, and keeps everything. */
    static class Counting extends AbstractList<Cell> {
        int gets;
        int sized;
        final Cell one = new Cell();

        @Override
        public Cell get(int index) {
            gets++; // local: gets
            return one;
        }

        @Override
        public int size() {
            sized++; // local: sized
            return 1;
        }
    }

    static void touchLeaked() throws InterruptedException {
        Thread thread = new Thread(() -> {
            leaked.put++; // shared: leaked, put
            leaked.added++; // shared: leaked, added
            eldest.removed++; // shared: eldest, removed
        });
        thread.start();
        thread.join();
    }

    public static void main(String[] args) throws Exception {
        Map<String, Cell> cache = new Cache();
        Cell removed = new Cell();
        cache.putAll(Map.of("r", removed));
        Map<String, Cell> map = new LeakyMap();
        Cell put = new Cell();
        map.put("a", put);
        touchLeaked();
        List<Cell> list = new LeakyList();
        Cell added = new Cell();
        Collections.addAll(list, added);
        touchLeaked();
        System.out.println(put.put + removed.removed); // shared: put, removed
        System.out.println(added.added); // shared: added
        Counting counting = new Counting();
        counting.contains(counting.one);
        System.out.println(counting.iterator().next() == counting.one);
        System.out.println(counting.gets > 0 && counting.sized > 0); // local: gets, sized
    }
}
