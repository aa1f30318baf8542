package order;

import static order.Turns.check;
import static order.Turns.inTurn;
import static order.Turns.ordered;
import static order.Turns.races;
import static order.Turns.use;

import java.text.SimpleDateFormat;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Date;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;

/** Containers that are not thread-safe: the state of one is a variable. Those that are: methods under their own lock. */
final class Containers {
    static void run() {
        views();
        handOvers();
        reads();
        clones();
        others();
        locked();
    }

    private static void views() {
        races("an iterator's next reads its list", () -> {
            List<String> l = new ArrayList<>(List.of("x", "y"));
            Iterator<String> i = l.iterator();
            inTurn(
                    () -> use(i.next()), // expect race
                    () -> l.add("z")); // expect race
        });
        races("an iterator's remove writes its list", () -> {
            List<String> l = new ArrayList<>(List.of("x", "y"));
            inTurn(
                    () -> { Iterator<String> i = l.iterator(); i.next(); i.remove(); }, // expect race
                    () -> use(l.size())); // expect race
        });
        races("a list iterator's set", () -> {
            List<String> l = new ArrayList<>(List.of("x", "y"));
            inTurn(
                    () -> { ListIterator<String> i = l.listIterator(); i.next(); i.set("z"); }, // expect race
                    () -> use(l.get(0))); // expect race
        });
        races("subList", () -> {
            List<String> l = new ArrayList<>(List.of("x", "y"));
            inTurn(
                    () -> l.subList(0, 1).set(0, "z"), // expect race
                    () -> use(l.get(0))); // expect race
        });
        races("keySet, values, entrySet", () -> {
            Map<String, String> m = new HashMap<>(Map.of("a", "b"));
            inTurn(
                    () -> m.keySet().remove("a"), // expect race
                    () -> use(m.get("a"))); // expect race
        });
        races("Map.Entry.setValue", () -> {
            Map<String, String> m = new HashMap<>(Map.of("a", "b"));
            Map.Entry<String, String> e = m.entrySet().iterator().next();
            inTurn(
                    () -> e.setValue("c"), // expect race
                    () -> use(m.get("a"))); // expect race
        });
        races("Map.Entry.setValue in a loop", () -> {
            Map<String, String> m = new TreeMap<>(Map.of("a", "b"));
            inTurn(
                    () -> { for (Map.Entry<String, String> e : m.entrySet()) { e.setValue("c"); } }, // expect race
                    () -> use(m.get("a"))); // expect race
        });
        ordered("Map.Entry.setValue: another map's", () -> {
            Map<String, String> m = new HashMap<>(Map.of("a", "b"));
            Map<String, String> other = new HashMap<>(Map.of("a", "b"));
            inTurn(() -> { for (Map.Entry<String, String> e : other.entrySet()) { e.setValue("c"); } }, () -> use(m.get("a")));
        });
        ordered("Map.Entry.setValue hands over in a ConcurrentHashMap", () -> {
            Map<String, Cell> m = new ConcurrentHashMap<>(Map.of("a", new Cell()));
            inTurn(
                    () -> { Cell c = new Cell(); c.v = 1; for (Map.Entry<String, Cell> e : m.entrySet()) { e.setValue(c); } },
                    () -> m.get("a").v++);
        });
        races("a loop over values", () -> {
            Map<String, String> m = new TreeMap<>(Map.of("a", "b"));
            inTurn(
                    () -> { for (String s : m.values()) { use(s); } }, // expect race
                    () -> m.put("b", "c")); // expect race
        });
        races("an unmodifiable view still reads", () -> {
            List<String> l = new ArrayList<>();
            List<String> view = Collections.unmodifiableList(l);
            inTurn(
                    () -> l.add("x"), // expect race
                    () -> use(view.size())); // expect race
        });
        races("a stream reads its source", () -> {
            List<String> l = new ArrayList<>(List.of("x"));
            inTurn(
                    () -> l.add("y"), // expect race
                    () -> use(l.stream().count())); // expect race
        });
        races("addAll reads its argument", () -> {
            List<String> l = new ArrayList<>(List.of("x"));
            inTurn(
                    () -> l.add("y"), // expect race
                    () -> new ArrayList<String>().addAll(l)); // expect race
        });
        races("a copy constructor reads its argument", () -> {
            Map<String, String> m = new HashMap<>();
            inTurn(
                    () -> m.put("x", "y"), // expect race
                    () -> use(new TreeMap<>(m))); // expect race
        });
        races("Collections.sort writes", () -> {
            List<String> l = new ArrayList<>(List.of("y", "x"));
            inTurn(
                    () -> Collections.sort(l), // expect race
                    () -> use(l.get(0))); // expect race
        });
    }

    /** Lists and arrays that threads fill and empty under a lock: who looks into them knows who filled them. */
    private static void handOvers() {
        ordered("a queue under a lock: added, polled", () -> {
            List<Cell> q = new LinkedList<>();
            inTurn(
                    () -> { Cell c = new Cell(); c.v = 1; synchronized (q) { q.add(c); } },
                    () -> { Cell c; synchronized (q) { c = q.remove(0); } c.v++; });
        });
        ordered("a map under a lock: put, got", () -> {
            Map<String, Cell> m = new HashMap<>();
            inTurn(
                    () -> { Cell c = new Cell(); c.v = 1; synchronized (m) { m.put("a", c); } },
                    () -> { Cell c; synchronized (m) { c = m.get("a"); } c.v++; });
        });
        ordered("an array under a lock: stored, loaded", () -> {
            Cell[] a = new Cell[1];
            inTurn(
                    () -> { Cell c = new Cell(); c.v = 1; synchronized (a) { a[0] = c; } },
                    () -> { Cell c; synchronized (a) { c = a[0]; } c.v++; });
        });
        races("a list under a lock: two that add to it", () -> {
            List<String> l = new ArrayList<>();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; synchronized (l) { l.add("x"); } }, // expect potential race
                    () -> { synchronized (l) { l.add("y"); } c.v++; }); // expect potential race
        });
    }

    private static void reads() {
        ordered("readers of one map", () -> {
            Map<String, String> m = new HashMap<>(Map.of("a", "b"));
            inTurn(() -> use(m.get("a")), () -> use(m.containsKey("a")), () -> { for (String k : m.keySet()) { use(k); } });
        });
        races("LinkedHashMap in access order: get writes", () -> {
            Map<String, String> m = new LinkedHashMap<>(16, 0.75f, true);
            m.put("a", "b");
            m.put("b", "c");
            inTurn(
                    () -> use(m.get("a")), // expect race
                    () -> use(m.get("b"))); // expect race
        });
        ordered("LinkedHashMap in access order, behind Collections.synchronizedMap", () -> {
            Map<String, String> m = Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true));
            m.put("a", "b");
            inTurn(() -> use(m.get("a")), () -> use(m.getOrDefault("b", "c")));
        });
        ordered("LinkedHashMap in insertion order: get reads", () -> {
            Map<String, String> m = new LinkedHashMap<>();
            m.put("a", "b");
            inTurn(() -> use(m.get("a")), () -> use(m.get("a")));
        });
        ordered("immutable collections", () -> {
            List<String> l = List.of("x");
            Map<String, String> m = Map.of("a", "b");
            inTurn(() -> use(l.get(0) + m.get("a")), () -> use(l.get(0) + m.get("a")));
        });
        ordered("two maps", () -> {
            Map<String, String> m = new HashMap<>();
            Map<String, String> n = new HashMap<>();
            inTurn(() -> m.put("a", "b"), () -> n.put("a", "b"));
        });
        ordered("a map's value is not the map", () -> {
            Map<String, Cell> m = new HashMap<>();
            m.put("a", new Cell());
            inTurn(() -> use(m.get("a")), () -> m.get("a").v = 1);
        });
        races("a map's value, found by two threads", () -> {
            Map<String, Cell> m = new HashMap<>();
            m.put("a", new Cell());
            inTurn(
                    () -> m.get("a").v++, // expect race
                    () -> m.get("a").v++); // expect race
        });
    }

    @SuppressWarnings("unchecked")
    private static void clones() {
        ordered("a clone is a list of its own", () -> {
            ArrayList<String> l = new ArrayList<>(List.of("x"));
            l.add("y");
            ArrayList<String> copy = (ArrayList<String>) l.clone();
            inTurn(
                    () -> l.add("z"),
                    () -> copy.add("z"));
        });
        races("two threads change a clone", () -> {
            ArrayList<String> l = new ArrayList<>(List.of("x"));
            l.add("y");
            ArrayList<String> copy = (ArrayList<String>) l.clone();
            inTurn(
                    () -> copy.add("z"), // expect race
                    () -> copy.add("z")); // expect race
        });
        ordered("a clone is a map of its own", () -> {
            HashMap<String, String> m = new HashMap<>();
            m.put("x", "y");
            Map<String, String> copy = (Map<String, String>) m.clone();
            inTurn(
                    () -> m.put("x", "z"),
                    () -> copy.put("x", "z"));
        });
        races("two threads change the clone of a map", () -> {
            HashMap<String, String> m = new HashMap<>();
            m.put("x", "y");
            Map<String, String> copy = (Map<String, String>) m.clone();
            inTurn(
                    () -> copy.put("x", "z"), // expect race
                    () -> copy.put("y", "z")); // expect race
        });
    }

    private static void others() {
        races("StringBuilder", () -> {
            StringBuilder b = new StringBuilder();
            inTurn(
                    () -> b.append("x"), // expect race
                    () -> use(b.toString())); // expect race
        });
        ordered("StringBuilder under a monitor", () -> {
            StringBuilder b = new StringBuilder();
            inTurn(() -> { synchronized (b) { b.append("x"); } }, () -> { synchronized (b) { use(b.toString()); } });
        });
        races("SimpleDateFormat: format writes", () -> {
            SimpleDateFormat f = new SimpleDateFormat("yyyy");
            Date d = new Date(0);
            inTurn(
                    () -> use(f.format(d)), // expect race
                    () -> use(f.format(d))); // expect race
        });
        ordered("SimpleDateFormat of each thread's own", () -> {
            ThreadLocal<SimpleDateFormat> f = ThreadLocal.withInitial(() -> new SimpleDateFormat("yyyy"));
            Date d = new Date(0);
            inTurn(() -> use(f.get().format(d)), () -> use(f.get().format(d)));
        });
        races("BitSet", () -> {
            BitSet b = new BitSet();
            inTurn(
                    () -> b.set(1), // expect race
                    () -> use(b.get(2))); // expect race
        });
        // "Instances of java.util.Random are threadsafe."
        ordered("Random", () -> {
            Random r = new Random(1);
            inTurn(() -> use(r.nextInt()), () -> use(r.nextInt()));
        });
    }

    /** Their methods lock the container: no race on their state, and who finds an element is ordered after its placing. */
    private static void locked() {
        ordered("Vector, Hashtable, StringBuffer: their state", () -> {
            Vector<String> v = new Vector<>();
            Hashtable<String, String> h = new Hashtable<>();
            StringBuffer b = new StringBuffer();
            inTurn(
                    () -> { v.add("x"); h.put("a", "b"); b.append("x"); },
                    () -> { use(v.get(0)); use(h.get("a")); use(b.toString()); });
        });
        ordered("Vector: add, get", () -> {
            Vector<Cell> v = new Vector<>();
            inTurn(() -> { Cell c = new Cell(); c.v = 1; v.add(c); }, () -> v.get(0).v++);
        });
        races("Vector: written after add", () -> {
            Vector<Cell> v = new Vector<>();
            inTurn(
                    () -> { Cell c = new Cell(); v.add(c); c.v = 1; }, // expect race
                    () -> v.get(0).v++); // expect race
        });
        ordered("Hashtable: put, get", () -> {
            Hashtable<String, Cell> h = new Hashtable<>();
            inTurn(() -> { Cell c = new Cell(); c.v = 1; h.put("a", c); }, () -> h.get("a").v++);
        });
        races("Hashtable: another table", () -> {
            Hashtable<String, Cell> h = new Hashtable<>();
            Hashtable<String, Cell> g = new Hashtable<>();
            Cell c = new Cell();
            g.put("a", new Cell());
            inTurn(
                    () -> { c.v = 1; h.put("a", new Cell()); }, // expect race
                    () -> { use(g.get("a")); c.v++; }); // expect race
        });
        ordered("StringBuffer: append, length", () -> {
            StringBuffer b = new StringBuffer();
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; b.append("x"); }, () -> { check(b.length() == 1); c.v++; });
        });
        races("StringBuffer: written after", () -> {
            StringBuffer b = new StringBuffer();
            Cell c = new Cell();
            inTurn(
                    () -> { b.append("x"); c.v = 1; }, // expect race
                    () -> { check(b.length() == 1); c.v++; }); // expect race
        });
        ordered("Collections.synchronizedList, synchronizedMap", () -> {
            List<Cell> l = Collections.synchronizedList(new ArrayList<>());
            Map<String, Cell> m = Collections.synchronizedMap(new HashMap<>());
            inTurn(
                    () -> { Cell c = new Cell(); c.v = 1; l.add(c); m.put("a", c); },
                    () -> l.get(0).v++,
                    () -> l.size());
        });
        ordered("Collections.synchronizedMap: put, get", () -> {
            Map<String, Cell> m = Collections.synchronizedMap(new HashMap<>());
            inTurn(() -> { Cell c = new Cell(); c.v = 1; m.put("a", c); }, () -> m.get("a").v++);
        });
        races("Collections.synchronizedMap: the map behind it", () -> {
            Map<String, String> behind = new HashMap<>();
            Map<String, String> m = Collections.synchronizedMap(behind);
            inTurn(
                    () -> m.put("a", "b"), // expect race
                    () -> use(behind.get("a"))); // expect race
        });
        ordered("Collections.synchronizedMap: the map behind it, under its lock", () -> {
            Map<String, String> behind = new HashMap<>();
            Map<String, String> m = Collections.synchronizedMap(behind);
            inTurn(() -> m.put("a", "b"), () -> { synchronized (m) { use(behind.get("a")); } }, () -> m.remove("a"));
        });
        races("Collections.synchronizedMap: under the lock of the map behind it", () -> {
            Map<String, String> behind = new HashMap<>();
            Map<String, String> m = Collections.synchronizedMap(behind);
            inTurn(
                    () -> m.put("a", "b"), // expect race
                    () -> { synchronized (behind) { use(behind.get("a")); } }); // expect race
        });
        ordered("Collections.synchronizedMap: its views lock it", () -> {
            Map<String, String> m = Collections.synchronizedMap(new HashMap<>());
            inTurn(() -> m.put("a", "b"), () -> use(m.keySet().size()), () -> m.values().remove("b"));
        });
        ordered("Collections.synchronizedList behind an unmodifiable view, and copied", () -> {
            List<String> l = Collections.synchronizedList(new ArrayList<>());
            List<String> view = Collections.unmodifiableList(l);
            inTurn(
                    () -> l.add("x"),
                    () -> use(view.size()),
                    () -> new ArrayList<String>().addAll(l),
                    () -> use(new ArrayList<>(view)),
                    () -> l.forEach(s -> use(s)));
        });
        // "It is imperative that the user manually synchronize on the returned collection when traversing it."
        races("Collections.synchronizedList: iterated without its lock", () -> {
            List<String> l = Collections.synchronizedList(new ArrayList<>(List.of("x")));
            inTurn(
                    () -> { for (String s : l) { use(s); } }, // expect race
                    () -> l.add("y")); // expect race
        });
        races("Collections.synchronizedList: a stream of it without its lock", () -> {
            List<String> l = Collections.synchronizedList(new ArrayList<>(List.of("x")));
            inTurn(
                    () -> use(l.stream().count()), // expect race
                    () -> l.add("y")); // expect race
        });
        ordered("Collections.synchronizedList: iterated under its lock", () -> {
            List<String> l = Collections.synchronizedList(new ArrayList<>(List.of("x")));
            inTurn(() -> { synchronized (l) { for (String s : l) { use(s); } } }, () -> l.add("y"));
        });
    }
}
