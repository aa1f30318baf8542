// each: ArrayList; ArrayList; new ArrayList<>()
// each: LinkedList; LinkedList; new LinkedList<>()
// each: HashSet; HashSet; new HashSet<>()
// each: LinkedHashSet; LinkedHashSet; new LinkedHashSet<>()
// each: TreeSet; TreeSet; new TreeSet<>()
// each: ArrayDeque; ArrayDeque; new ArrayDeque<>()
// each: PriorityQueue; PriorityQueue; new PriorityQueue<>()
// each: ArrayListAsList; List; new ArrayList<>()
// each: HashSetAsCollection; Collection; new HashSet<>()
package order;

import static order.Turns.inTurn;
import static order.Turns.ordered;
import static order.Turns.races;
import static order.Turns.use;

import java.util.*;

/** Lists, sets and queues that are not thread-safe. */
final class PlainNAME {
    private static TYPE<String> make() {
        return MAKE;
    }

    static void run() {
        races("NAME: add, contains", () -> {
            TYPE<String> l = make();
            inTurn(
                    () -> l.add("a"), // expect race
                    () -> use(l.contains("b"))); // expect race
        });
        races("NAME: size, remove", () -> {
            TYPE<String> l = make();
            inTurn(
                    () -> use(l.size()), // expect race
                    () -> l.remove("a")); // expect race
        });
        races("NAME: add, iterated", () -> {
            TYPE<String> l = make();
            inTurn(
                    () -> l.add("a"), // expect race
                    () -> { for (String s : l) { use(s); } }); // expect race
        });
        races("NAME: removeIf, forEach", () -> {
            TYPE<String> l = make();
            inTurn(
                    () -> l.removeIf(s -> true), // expect race
                    () -> l.forEach(s -> use(s))); // expect race
        });
        ordered("NAME: under a monitor", () -> {
            TYPE<String> l = make();
            inTurn(
                    () -> { synchronized (l) { l.add("a"); } },
                    () -> { synchronized (l) { for (String s : l) { use(s); } l.clear(); } });
        });
        ordered("NAME: readers", () -> {
            TYPE<String> l = make();
            inTurn(() -> use(l.size()), () -> use(l.contains("a")), () -> use(l.toArray()), () -> use(l.isEmpty()));
        });
    }
}
