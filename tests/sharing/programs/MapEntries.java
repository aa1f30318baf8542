import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Objects that leave a map as keys, values, entries or through an iterator that another thread drives. */
public class MapEntries {
    static class Cell {
        int key;
        int value;
        int entry;
        int next;
    }

    public static void main(String[] args) throws Exception {
        Map<Cell, Cell> map = new HashMap<>();
        Cell key = new Cell();
        Cell value = new Cell();
        map.put(key, value);
        key.key = 1; // shared: key
        value.value = value.entry = 1; // shared: value, entry
        Map.Entry<Cell, Cell> entry = map.entrySet().iterator().next();
        Iterator<Cell> values = List.copyOf(map.values()).iterator();
        Iterable<Cell> keys = map.keySet();
        Thread thread = new Thread(() -> {
            for (Cell cell : keys) {
                cell.key++; // shared: key
            }
            map.forEach((k, v) -> v.value++); // shared: value
            entry.getValue().entry++; // shared: entry
            values.next().next++; // shared: next
        });
        thread.start();
        thread.join();
        System.out.println(key.key + value.value); // shared: key, value
        System.out.println(value.entry + value.next); // shared: entry, next
        Map<String, Cell> own = new HashMap<>(Map.of("a", new Cell()));
        for (Map.Entry<String, Cell> each : own.entrySet()) {
            each.getValue().entry++; // local: entry
        }
        own.values().forEach(cell -> cell.value++); // local: value
        System.out.println(own.get("a").entry); // local: entry
    }
}
