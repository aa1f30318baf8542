// each: HashMap; HashMap; new HashMap<>()
// each: LinkedHashMap; LinkedHashMap; new LinkedHashMap<>()
// each: TreeMap; TreeMap; new TreeMap<>()
// each: IdentityHashMap; IdentityHashMap; new IdentityHashMap<>()
// each: HashMapAsMap; Map; new HashMap<>()
// each: TreeMapAsMap; Map; new TreeMap<>()
package order;

import static order.Turns.inTurn;
import static order.Turns.ordered;
import static order.Turns.races;
import static order.Turns.use;

import java.util.*;

/** Maps that are not thread-safe. */
final class PlainNAME {
    private static TYPE<String, String> make() {
        return MAKE;
    }

    static void run() {
        races("NAME: put, get", () -> {
            TYPE<String, String> m = make();
            inTurn(
                    () -> m.put("a", "b"), // expect race
                    () -> use(m.get("c"))); // expect race
        });
        races("NAME: size, remove", () -> {
            TYPE<String, String> m = make();
            inTurn(
                    () -> use(m.size()), // expect race
                    () -> m.remove("a")); // expect race
        });
        races("NAME: computeIfAbsent, containsKey", () -> {
            TYPE<String, String> m = make();
            inTurn(
                    () -> m.computeIfAbsent("a", k -> k), // expect race
                    () -> use(m.containsKey("b"))); // expect race
        });
        races("NAME: merge, forEach", () -> {
            TYPE<String, String> m = make();
            inTurn(
                    () -> m.merge("a", "b", String::concat), // expect race
                    () -> m.forEach((k, v) -> use(v))); // expect race
        });
        ordered("NAME: under a monitor", () -> {
            TYPE<String, String> m = make();
            inTurn(
                    () -> { synchronized (m) { m.put("a", "b"); } },
                    () -> { synchronized (m) { use(m.get("a")); m.clear(); } });
        });
        ordered("NAME: readers", () -> {
            TYPE<String, String> m = make();
            inTurn(() -> use(m.get("a")), () -> use(m.size()), () -> use(m.containsValue("b")), () -> use(m.isEmpty()));
        });
    }
}
