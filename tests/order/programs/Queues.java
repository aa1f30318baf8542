package order;

import static order.Turns.check;
import static order.Turns.inTurn;
import static order.Turns.ordered;
import static order.Turns.races;
import static order.Turns.start;
import static order.Turns.together;
import static order.Turns.use;

import invisible.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingDeque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.Delayed;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TransferQueue;

/**
 * "Actions in a thread prior to placing an object into any concurrent collection happen-before actions subsequent to
 * the access or removal of that element from the collection in another thread" (java.util.concurrent).
 */
final class Queues {
    /** An element of every queue: comparable, and its delay is over. Nothing it is asked for touches a variable. */
    static final class Item implements Delayed {
        int v;
        final int rank;

        Item(int rank) {
            this.rank = rank;
        }

        @Override
        public long getDelay(TimeUnit unit) {
            return 0;
        }

        @Override
        public int compareTo(Delayed other) {
            return Integer.compare(rank, ((Item) other).rank);
        }
    }

    static void run() {
        blocking();
        deques();
        handOver();
    }

    private static void blocking() {
        ordered("BlockingQueue: put, take", () -> {
            BlockingQueue<Item> q = new ArrayBlockingQueue<>(1);
            Cell c = new Cell();
            Thread t = start(() -> { q.take(); c.v++; });
            Stage.waits(t);
            inTurn(() -> { c.v = 1; q.put(new Item(1)); });
            Stage.ended(t);
        });
        ordered("BlockingQueue: offer and poll with a time limit, drainTo", () -> {
            BlockingQueue<Item> q = new LinkedBlockingQueue<>();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; check(q.offer(new Item(1), 1, TimeUnit.SECONDS)); },
                    () -> { use(q.poll(1, TimeUnit.SECONDS)); c.v++; q.put(new Item(2)); },
                    () -> { List<Item> l = new ArrayList<>(); check(q.drainTo(l) == 1); c.v++; q.put(new Item(3)); },
                    () -> { List<Item> l = new ArrayList<>(); check(q.drainTo(l, 2) == 1); c.v++; });
        });
        races("BlockingQueue: drainTo of nothing", () -> {
            BlockingQueue<Item> q = new LinkedBlockingQueue<>();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; q.put(new Item(1)); use(q.take()); }, // expect race
                    () -> { check(q.drainTo(new ArrayList<>()) == 0); c.v++; }); // expect race
        });
        races("BlockingQueue: an offer that was refused", () -> {
            BlockingQueue<Item> q = new ArrayBlockingQueue<>(1);
            Cell c = new Cell();
            q.put(new Item(1));
            inTurn(
                    () -> { c.v = 1; check(!q.offer(new Item(2))); }, // expect race
                    () -> { use(q.take()); c.v++; }); // expect race
        });
        races("BlockingQueue: a poll that timed out", () -> {
            BlockingQueue<Item> q = new PriorityBlockingQueue<>();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; q.put(new Item(1)); use(q.take()); }, // expect race
                    () -> { check(q.poll(1, TimeUnit.MILLISECONDS) == null); c.v++; }); // expect race
        });
    }

    private static void deques() {
        ordered("BlockingDeque: both ends", () -> {
            BlockingDeque<Item> q = new LinkedBlockingDeque<>();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; q.putFirst(new Item(1)); },
                    () -> { q.takeLast(); c.v++; q.offerLast(new Item(2)); },
                    () -> { q.pollFirst(); c.v++; q.push(new Item(3)); },
                    () -> { q.pop(); c.v++; q.addLast(new Item(4)); },
                    () -> { q.peekLast(); c.v++; });
        });
        races("BlockingDeque: the element at the other end", () -> {
            BlockingDeque<Item> q = new LinkedBlockingDeque<>();
            Cell c = new Cell();
            inTurn(
                    () -> q.putFirst(new Item(1)),
                    () -> { c.v = 1; q.putFirst(new Item(2)); }, // expect race
                    () -> { check(q.takeLast().rank == 1); c.v++; }); // expect race
        });
        ordered("ConcurrentLinkedDeque: both ends", () -> {
            ConcurrentLinkedDeque<Item> q = new ConcurrentLinkedDeque<>();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; q.addFirst(new Item(1)); },
                    () -> { q.pollLast(); c.v++; q.push(new Item(2)); },
                    () -> { q.getFirst(); c.v++; });
        });
    }

    /** Here the producer waits for the consumer. Nothing says that the take happens-before what follows the put. */
    private static void handOver() {
        ordered("SynchronousQueue: put, take", () -> {
            BlockingQueue<Item> q = new SynchronousQueue<>();
            Cell c = new Cell();
            together(() -> { c.v = 1; q.put(new Item(1)); }, () -> { q.take(); c.v++; });
        });
        races("SynchronousQueue: written after put", () -> {
            BlockingQueue<Item> q = new SynchronousQueue<>();
            Cell c = new Cell();
            Stage s = new Stage();
            together(
                    () -> {
                        q.put(new Item(1));
                        c.v = 1; // expect race
                        s.reach(1);
                    },
                    () -> {
                        q.take();
                        s.await(1);
                        c.v++; // expect race
                    });
        });
        races("SynchronousQueue: an offer that nobody takes", () -> {
            BlockingQueue<Item> q = new SynchronousQueue<>();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; check(!q.offer(new Item(1))); }, // expect race
                    () -> { check(q.poll() == null); c.v++; }); // expect race
        });
        ordered("TransferQueue: transfer, take", () -> {
            TransferQueue<Item> q = new LinkedTransferQueue<>();
            Cell c = new Cell();
            together(() -> { c.v = 1; q.transfer(new Item(1)); }, () -> { q.take(); c.v++; });
        });
        ordered("TransferQueue: tryTransfer to a waiting consumer", () -> {
            TransferQueue<Item> q = new LinkedTransferQueue<>();
            Cell c = new Cell();
            Thread t = start(() -> { q.take(); c.v++; });
            Stage.waits(t);
            inTurn(() -> { c.v = 1; check(q.tryTransfer(new Item(1))); });
            Stage.ended(t);
        });
        races("TransferQueue: a tryTransfer that nobody takes", () -> {
            TransferQueue<Item> q = new LinkedTransferQueue<>();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; check(!q.tryTransfer(new Item(1))); }, // expect race
                    () -> { check(q.poll() == null); c.v++; }); // expect race
        });
    }
}
