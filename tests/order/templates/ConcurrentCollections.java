// each: CopyOnWriteArrayList; CopyOnWriteArrayList; new CopyOnWriteArrayList<>()
// each: CopyOnWriteArraySet; CopyOnWriteArraySet; new CopyOnWriteArraySet<>()
// each: ConcurrentSkipListSet; ConcurrentSkipListSet; new ConcurrentSkipListSet<>()
// each: KeySet; Set; ConcurrentHashMap.newKeySet()
// each: CopyOnWriteArrayListAsList; List; new CopyOnWriteArrayList<>()
package order;

import static order.Turns.check;
import static order.Turns.inTurn;
import static order.Turns.ordered;
import static order.Turns.races;
import static order.Turns.use;

import java.util.*;
import java.util.concurrent.*;
import order.Maps.Element;

/** What every concurrent set or list does; see {@link Maps}. */
final class CollectionNAME {
    private static TYPE<Element> make() {
        return MAKE;
    }

    static void run() {
        ordered("NAME: add, then iterated", () -> {
            TYPE<Element> l = make();
            inTurn(() -> { Element e = new Element(1); e.v = 1; l.add(e); }, () -> { for (Element e : l) { e.v++; } });
        });
        ordered("NAME: add, forEach", () -> {
            TYPE<Element> l = make();
            inTurn(() -> { Element e = new Element(1); e.v = 1; l.add(e); }, () -> l.forEach(e -> e.v++));
        });
        races("NAME: written after add", () -> {
            TYPE<Element> l = make();
            inTurn(
                    () -> { Element e = new Element(1); l.add(e); e.v = 1; }, // expect race
                    () -> { for (Element e : l) { e.v++; } }); // expect race
        });
        races("NAME: another collection", () -> {
            TYPE<Element> l = make();
            TYPE<Element> k = make();
            Cell c = new Cell();
            k.add(new Element(1));
            inTurn(
                    () -> { c.v = 1; l.add(new Element(1)); }, // expect race
                    () -> { for (Element e : k) { use(e); } c.v++; }); // expect race
        });
        races("NAME: an iterator from before", () -> {
            TYPE<Element> l = make();
            Cell c = new Cell();
            Iterator<Element> empty = l.iterator();
            inTurn(
                    () -> { c.v = 1; l.add(new Element(1)); }, // expect race
                    () -> { check(!empty.hasNext()); c.v++; }); // expect race
        });
    }
}
