package order;

import static order.Turns.check;
import static order.Turns.inTurn;
import static order.Turns.ordered;
import static order.Turns.races;
import static order.Turns.use;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Concurrent maps, sets and lists: placing an element is ordered before its access by another thread; for maps by key:
 * "an update operation for a given key bears a happens-before relation with any (non-null) retrieval for that key
 * reporting the updated value" (ConcurrentHashMap).
 */
final class Maps {
    static final class Element implements Comparable<Element> {
        int v;
        final int rank;

        Element(int rank) {
            this.rank = rank;
        }

        @Override
        public int compareTo(Element other) {
            return Integer.compare(rank, other.rank);
        }
    }

    static void run() {
        sorted();
        streams();
        bulk();
        keys();
        lists();
    }

    /** A stream takes its elements when it is run: it may have been made before them. */
    private static void streams() {
        ordered("ConcurrentHashMap: a stream of values that was made before they were put", () -> {
            ConcurrentHashMap<String, Cell> m = withTable();
            Stream<Cell> values = m.values().stream();
            inTurn(
                    () -> { Cell c = new Cell(); fill(c); m.put("key", c); },
                    () -> values.forEach(c -> use(c.v)));
        });
        ordered("the same with steps in between", () -> {
            ConcurrentHashMap<String, Cell> m = withTable();
            Stream<Cell> values = m.values().stream().skip(0);
            inTurn(
                    () -> { Cell c = new Cell(); fill(c); m.put("key", c); },
                    () -> use(values.filter(c -> c.v == 1).map(c -> c.v + 1).count()));
        });
        ordered("ConcurrentHashMap: put when a stream of values that flatMap takes had been made", () -> {
            ConcurrentHashMap<String, Cell> m = withTable();
            Stream<Stream<Cell>> all = Stream.of(m.values().stream());
            inTurn(
                    () -> { Cell c = new Cell(); fill(c); m.put("key", c); },
                    () -> all.flatMap(values -> values).forEach(c -> use(c.v)));
        });
        ordered("ConcurrentHashMap: put when streams of values had been joined", () -> {
            ConcurrentHashMap<String, Cell> m = withTable();
            ConcurrentHashMap<String, Cell> n = withTable();
            Stream<Cell> both = Stream.concat(m.values().stream(), n.values().stream());
            Stream<Cell> some = Stream.concat(Stream.of(new Cell()), m.values().stream().sequential());
            inTurn(
                    () -> { Cell c = new Cell(); fill(c); m.put("key", c); },
                    () -> { Cell c = new Cell(); fill(c); n.put("key", c); },
                    () -> both.filter(c -> c.v == 1).forEach(c -> use(c.v)),
                    () -> some.forEach(c -> use(c.v)));
        });
        ordered("ConcurrentHashMap: put when a stream of values had been made that is gathered", () -> {
            ConcurrentHashMap<String, Cell> m = withTable();
            List<Stream<Cell>> streams = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                streams.add(m.values().stream());
            }
            inTurn(
                    () -> { Cell c = new Cell(); fill(c); m.put("key", c); },
                    () -> { for (Cell c : streams.get(0).collect(Collectors.toList())) { use(c.v); } },
                    () -> { for (Object c : streams.get(1).toArray()) { use(((Cell) c).v); } },
                    () -> use(streams.get(2).reduce((one, other) -> other).get().v),
                    () -> use(streams.get(3).skip(1).findFirst().get().v));
        });
        races("ConcurrentHashMap: streams of values that are joined, one of which is changed when it was put", () -> {
            ConcurrentHashMap<String, Cell> m = withTable();
            Stream<Cell> both = Stream.concat(m.values().stream(), Stream.of(new Cell()));
            inTurn(
                    () -> {
                        Cell c = new Cell();
                        m.put("key", c);
                        c.v = 1; // expect race
                    },
                    () -> both.forEach(c -> use(c.v))); // expect race
        });
        races("flatMap of another map's values", () -> {
            ConcurrentHashMap<String, Cell> m = new ConcurrentHashMap<>();
            ConcurrentHashMap<String, Cell> other = new ConcurrentHashMap<>();
            Cell c = new Cell();
            other.put("key", c);
            Stream<Stream<Cell>> all = Stream.of(other.values().stream());
            inTurn(
                    () -> { c.v = 1; m.put("key", c); }, // expect race
                    () -> all.flatMap(values -> values).forEach(found -> use(found.v))); // expect race
        });
        races("ConcurrentHashMap: a stream of values, one of which is changed when it was put", () -> {
            ConcurrentHashMap<String, Cell> m = withTable();
            Stream<Cell> values = m.values().stream();
            inTurn(
                    () -> {
                        Cell c = new Cell();
                        m.put("key", c);
                        c.v = 1; // expect race
                    },
                    () -> values.forEach(c -> use(c.v))); // expect race
        });
        races("a stream of another map's values", () -> {
            ConcurrentHashMap<String, Cell> m = new ConcurrentHashMap<>();
            ConcurrentHashMap<String, Cell> other = new ConcurrentHashMap<>();
            Cell c = new Cell();
            other.put("key", c);
            Stream<Cell> values = other.values().stream();
            inTurn(
                    () -> { c.v = 1; m.put("key", c); }, // expect race
                    () -> values.forEach(found -> use(found.v))); // expect race
        });
    }

    private static void fill(Cell c) {
        c.v = 1;
    }

    /** One that is not empty: a stream of an empty one has no table to find anything in later. */
    private static ConcurrentHashMap<String, Cell> withTable() {
        ConcurrentHashMap<String, Cell> m = new ConcurrentHashMap<>();
        m.put("first", new Cell());
        return m;
    }

    private static void sorted() {
        ordered("ConcurrentSkipListMap: firstEntry, floorEntry, pollFirstEntry, headMap", () -> {
            ConcurrentSkipListMap<String, Cell> m = new ConcurrentSkipListMap<>();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; m.put("a", c); },
                    () -> use(m.firstEntry().getValue().v),
                    () -> use(m.floorEntry("b").getValue().v),
                    () -> use(m.headMap("b").get("a").v),
                    () -> use(m.pollFirstEntry().getValue().v));
        });
        races("ConcurrentSkipListMap: firstEntry of another key", () -> {
            ConcurrentSkipListMap<String, Cell> m = new ConcurrentSkipListMap<>();
            Cell c = new Cell();
            m.put("a", new Cell());
            inTurn(
                    () -> { c.v = 1; m.put("b", new Cell()); }, // expect race
                    () -> { use(m.firstEntry().getValue()); c.v++; }); // expect race
        });
    }

    private static void bulk() {
        ordered("ConcurrentHashMap: search, reduce", () -> {
            ConcurrentHashMap<String, Cell> m = new ConcurrentHashMap<>();
            inTurn(
                    () -> { Cell c = new Cell(); c.v = 1; m.put("a", c); },
                    () -> use(m.search(Long.MAX_VALUE, (k, c) -> c.v)),
                    () -> use(m.reduceValues(Long.MAX_VALUE, c -> c.v, Integer::sum)));
        });
        races("ConcurrentHashMap: search, written after put", () -> {
            ConcurrentHashMap<String, Cell> m = new ConcurrentHashMap<>();
            inTurn(
                    () -> { Cell c = new Cell(); m.put("a", c); c.v = 1; }, // expect race
                    () -> use(m.search(Long.MAX_VALUE, (k, c) -> c.v))); // expect race
        });
    }

    private static void keys() {
        ordered("ConcurrentHashMap: keys of computeIfAbsent, compute", () -> {
            ConcurrentHashMap<Cell, String> m = new ConcurrentHashMap<>();
            inTurn(
                    () -> { Cell k = new Cell(); k.v = 1; m.computeIfAbsent(k, absent -> "a"); },
                    () -> { Cell k = new Cell(); k.v = 1; m.compute(k, (absent, none) -> "b"); },
                    () -> { for (Cell k : m.keySet()) { k.v++; } });
        });
        races("ConcurrentHashMap: a key of computeIfAbsent, written after", () -> {
            ConcurrentHashMap<Cell, String> m = new ConcurrentHashMap<>();
            inTurn(
                    () -> { Cell k = new Cell(); m.computeIfAbsent(k, absent -> "a"); k.v = 1; }, // expect race
                    () -> { for (Cell k : m.keySet()) { k.v++; } }); // expect race
        });
        races("ConcurrentSkipListMap: a key that computeIfAbsent did not need", () -> {
            ConcurrentSkipListMap<Element, String> m = new ConcurrentSkipListMap<>();
            Cell c = new Cell();
            inTurn(
                    () -> m.put(new Element(1), "a"),
                    () -> { c.v = 1; m.computeIfAbsent(new Element(1), absent -> "b"); }, // expect race
                    () -> { for (Element k : m.keySet()) { use(k); } c.v++; }); // expect race
        });
    }

    private static void lists() {
        ordered("CopyOnWriteArrayList: get, set", () -> {
            List<Cell> l = new CopyOnWriteArrayList<>();
            l.add(new Cell());
            inTurn(() -> { Cell c = new Cell(); c.v = 1; l.set(0, c); }, () -> l.get(0).v++);
        });
        races("CopyOnWriteArrayList: another element", () -> {
            List<Cell> l = new CopyOnWriteArrayList<>();
            l.add(new Cell());
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; l.add(new Cell()); }, // expect race
                    () -> { use(l.get(0)); c.v++; }); // expect race
        });
        ordered("ConcurrentSkipListSet: first, floor, pollFirst", () -> {
            ConcurrentSkipListSet<Element> l = new ConcurrentSkipListSet<>();
            inTurn(
                    () -> { Element e = new Element(1); e.v = 1; l.add(e); },
                    () -> use(l.first().v),
                    () -> use(l.floor(new Element(2)).v),
                    () -> use(l.pollFirst().v));
        });
        ordered("CopyOnWriteArraySet: contains may be asked by all", () -> {
            Set<String> l = new CopyOnWriteArraySet<>();
            inTurn(() -> l.add("a"), () -> use(l.contains("a")), () -> l.remove("a"));
        });
    }
}
