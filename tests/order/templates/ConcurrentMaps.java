// each: ConcurrentHashMap; ConcurrentHashMap; new ConcurrentHashMap<>()
// each: ConcurrentSkipListMap; ConcurrentSkipListMap; new ConcurrentSkipListMap<>()
// each: ConcurrentHashMapAsConcurrentMap; ConcurrentMap; new ConcurrentHashMap<>()
// each: ConcurrentSkipListMapAsMap; Map; new ConcurrentSkipListMap<>()
package order;

import static order.Turns.check;
import static order.Turns.inTurn;
import static order.Turns.ordered;
import static order.Turns.races;
import static order.Turns.use;

import java.util.Map;
import java.util.concurrent.*;

/** What every concurrent map does; see {@link Maps}. */
final class MapNAME {
    private static TYPE<String, Cell> make() {
        return MAKE;
    }

    static void run() {
        ordered("NAME: put, get", () -> {
            TYPE<String, Cell> m = make();
            inTurn(() -> { Cell c = new Cell(); c.v = 1; m.put("a", c); }, () -> m.get("a").v++);
        });
        ordered("NAME: what came before put", () -> {
            TYPE<String, Cell> m = make();
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; m.put("a", new Cell()); }, () -> { use(m.get("a")); c.v++; });
        });
        races("NAME: written after put", () -> {
            TYPE<String, Cell> m = make();
            inTurn(
                    () -> { Cell c = new Cell(); m.put("a", c); c.v = 1; }, // expect race
                    () -> m.get("a").v++); // expect race
        });
        races("NAME: another key", () -> {
            TYPE<String, Cell> m = make();
            Cell c = new Cell();
            m.put("b", new Cell());
            inTurn(
                    () -> { c.v = 1; m.put("a", new Cell()); }, // expect race
                    () -> { use(m.get("b")); c.v++; }); // expect race
        });
        races("NAME: another map", () -> {
            TYPE<String, Cell> m = make();
            TYPE<String, Cell> n = make();
            Cell c = new Cell();
            n.put("a", new Cell());
            inTurn(
                    () -> { c.v = 1; m.put("a", new Cell()); }, // expect race
                    () -> { use(n.get("a")); c.v++; }); // expect race
        });
        races("NAME: nothing there", () -> {
            TYPE<String, Cell> m = make();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; m.put("a", new Cell()); }, // expect race
                    () -> { check(m.get("b") == null); c.v++; }); // expect race
        });
        races("NAME: get, put: that way there is no edge", () -> {
            TYPE<String, Cell> m = make();
            Cell c = new Cell();
            m.put("a", new Cell());
            inTurn(
                    () -> { c.v = 1; use(m.get("a")); }, // expect race
                    () -> { m.put("b", new Cell()); c.v++; }); // expect race
        });
        ordered("NAME: putIfAbsent, getOrDefault, replace, remove", () -> {
            TYPE<String, Cell> m = make();
            Cell c = new Cell();
            Cell none = new Cell();
            inTurn(
                    () -> { c.v = 1; m.putIfAbsent("a", new Cell()); },
                    () -> { use(m.getOrDefault("a", none)); c.v++; m.replace("a", new Cell()); },
                    () -> { use(m.remove("a")); c.v++; });
        });
        ordered("NAME: putIfAbsent that finds something has accessed it", () -> {
            TYPE<String, Cell> m = make();
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; m.put("a", new Cell()); }, () -> { check(m.putIfAbsent("a", new Cell()) != null); c.v++; });
        });
        races("NAME: putIfAbsent that finds something has put nothing", () -> {
            TYPE<String, Cell> m = make();
            Cell c = new Cell();
            m.put("a", new Cell());
            inTurn(
                    () -> { c.v = 1; check(m.putIfAbsent("a", new Cell()) != null); }, // expect race
                    () -> { use(m.get("a")); c.v++; }); // expect race
        });
        ordered("NAME: computeIfAbsent", () -> {
            TYPE<String, Cell> m = make();
            inTurn(
                    () -> m.computeIfAbsent("a", k -> { Cell c = new Cell(); c.v = 1; return c; }),
                    () -> m.computeIfAbsent("a", k -> new Cell()).v++);
        });
        ordered("NAME: compute, computeIfPresent, merge", () -> {
            TYPE<String, Cell> m = make();
            inTurn(
                    () -> m.compute("a", (k, old) -> { Cell c = new Cell(); c.v = 1; return c; }),
                    () -> m.computeIfPresent("a", (k, old) -> { Cell c = new Cell(); c.v = old.v + 1; return c; }),
                    () -> m.merge("a", new Cell(), (old, given) -> { given.v = old.v; return given; }),
                    () -> use(m.get("a").v));
        });
        races("NAME: what computeIfAbsent gave, written by both", () -> {
            TYPE<String, Cell> m = make();
            inTurn(
                    () -> m.computeIfAbsent("a", k -> new Cell()).v++, // expect race
                    () -> m.computeIfAbsent("a", k -> new Cell()).v++); // expect race
        });
        ordered("NAME: iterated", () -> {
            TYPE<String, Cell> m = make();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; m.put("a", c); },
                    () -> { for (Cell d : m.values()) { use(d.v); } },
                    () -> { for (Map.Entry<String, Cell> e : m.entrySet()) { use(e.getValue().v); } },
                    () -> m.forEach((k, d) -> use(d.v)));
        });
        races("NAME: iterated, written after put", () -> {
            TYPE<String, Cell> m = make();
            Cell c = new Cell();
            inTurn(
                    () -> { m.put("a", c); c.v = 1; }, // expect race
                    () -> { for (Cell d : m.values()) { use(d.v); } }); // expect race
        });
        ordered("NAME: the map itself may be used by all", () -> {
            TYPE<String, Cell> m = make();
            Cell c = new Cell();
            inTurn(() -> m.put("a", c), () -> m.put("b", c), () -> use(m.size()), m::clear, () -> use(m.containsKey("a")));
        });
    }
}
