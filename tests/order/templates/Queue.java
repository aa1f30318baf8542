// each: ArrayBlockingQueue; ArrayBlockingQueue; new ArrayBlockingQueue<>(4)
// each: LinkedBlockingQueue; LinkedBlockingQueue; new LinkedBlockingQueue<>()
// each: LinkedBlockingDeque; LinkedBlockingDeque; new LinkedBlockingDeque<>()
// each: LinkedTransferQueue; LinkedTransferQueue; new LinkedTransferQueue<>()
// each: PriorityBlockingQueue; PriorityBlockingQueue; new PriorityBlockingQueue<>()
// each: DelayQueue; DelayQueue; new DelayQueue<>()
// each: ConcurrentLinkedQueue; ConcurrentLinkedQueue; new ConcurrentLinkedQueue<>()
// each: ConcurrentLinkedDeque; ConcurrentLinkedDeque; new ConcurrentLinkedDeque<>()
// each: ArrayBlockingQueueAsQueue; Queue; new ArrayBlockingQueue<>(4)
// each: LinkedBlockingQueueAsQueue; BlockingQueue; new LinkedBlockingQueue<>()
// each: ConcurrentLinkedQueueAsQueue; Queue; new ConcurrentLinkedQueue<>()
package order;

import static order.Turns.check;
import static order.Turns.inTurn;
import static order.Turns.ordered;
import static order.Turns.races;
import static order.Turns.use;

import java.util.Queue;
import java.util.concurrent.*;
import order.Queues.Item;

/** What every queue does; see {@link Queues}. */
final class QueueNAME {
    private static TYPE<Item> make() {
        return MAKE;
    }

    static void run() {
        ordered("NAME: offer, poll", () -> {
            TYPE<Item> q = make();
            inTurn(() -> { Item i = new Item(1); i.v = 1; q.offer(i); }, () -> q.poll().v++);
        });
        ordered("NAME: the element carries what came before it", () -> {
            TYPE<Item> q = make();
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; q.add(new Item(1)); }, () -> { use(q.remove()); c.v++; });
        });
        races("NAME: written after offer", () -> {
            TYPE<Item> q = make();
            inTurn(
                    () -> { Item i = new Item(1); q.offer(i); i.v = 1; }, // expect race
                    () -> q.poll().v++); // expect race
        });
        races("NAME: another queue", () -> {
            TYPE<Item> q = make();
            TYPE<Item> p = make();
            Cell c = new Cell();
            p.offer(new Item(1));
            inTurn(
                    () -> { c.v = 1; q.offer(new Item(1)); }, // expect race
                    () -> { use(p.poll()); c.v++; }); // expect race
        });
        races("NAME: another element", () -> {
            TYPE<Item> q = make();
            Cell c = new Cell();
            inTurn(
                    () -> q.offer(new Item(1)),
                    () -> { c.v = 1; q.offer(new Item(2)); }, // expect race
                    () -> { check(q.poll().rank == 1); c.v++; }); // expect race
        });
        races("NAME: taken, then offered: that way there is no edge", () -> {
            TYPE<Item> q = make();
            Cell c = new Cell();
            q.offer(new Item(1));
            inTurn(
                    () -> { c.v = 1; use(q.poll()); }, // expect race
                    () -> { q.offer(new Item(2)); c.v++; }); // expect race
        });
        races("NAME: a poll of nothing", () -> {
            TYPE<Item> q = make();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; q.offer(new Item(1)); }, // expect race
                    () -> use(q.poll()),
                    () -> { check(q.poll() == null); c.v++; }); // expect race
        });
        ordered("NAME: peek and element access, too", () -> {
            TYPE<Item> q = make();
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; q.offer(new Item(1)); }, () -> { use(q.peek()); use(c.v); }, () -> { use(q.element()); use(c.v); });
        });
        ordered("NAME: iterated", () -> {
            TYPE<Item> q = make();
            inTurn(() -> { Item i = new Item(1); i.v = 1; q.offer(i); }, () -> { for (Item i : q) { use(i.v); } }, () -> q.forEach(i -> use(i.v)));
        });
    }
}
