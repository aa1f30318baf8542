package order;

import static order.Turns.inTurn;
import static order.Turns.ordered;
import static order.Turns.races;
import static order.Turns.start;
import static order.Turns.use;

import invisible.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Who closes a door: what a critical section did behind a look at a flag came before the one that overwrote the flag, in every
 * schedule in which it was done at all. What it did before the look may come later.
 */
final class Doors {
    static final class Door {
        boolean closed;
        boolean merging;
        volatile boolean shut;
        int other;
    }

    static void set(Cell c) {
        c.v = 1; // expect potential race
    }

    static void run() {
        ordered("closed by who takes over what is changed behind the look", () -> {
            Door d = new Door();
            Cell c = new Cell();
            inTurn(
                    () -> { synchronized (d) { if (!d.closed) { c.v = 1; } } },
                    () -> { synchronized (d) { d.closed = true; } use(c.v); });
        });
        races("changed before the look", () -> {
            Door d = new Door();
            Cell c = new Cell();
            inTurn(
                    () -> { synchronized (d) { c.v = 1; use(d.closed); } }, // expect potential race
                    () -> { synchronized (d) { d.closed = true; } use(c.v); }); // expect potential race
        });
        races("changed before the look, and again behind it", () -> {
            Door d = new Door();
            Cell c = new Cell();
            inTurn(
                    () -> {
                        synchronized (d) {
                            c.v = 1; // expect potential race
                            if (!d.closed) {
                                c.v = 2;
                            }
                        }
                    },
                    () -> { synchronized (d) { d.closed = true; } use(c.v); }); // expect potential race
        });
        races("changed at one place before the look, and something else there behind it", () -> {
            Door d = new Door();
            Cell c = new Cell();
            Cell other = new Cell();
            inTurn(
                    () -> { synchronized (d) { set(c); if (!d.closed) { set(other); } } },
                    () -> { synchronized (d) { d.closed = true; } use(c.v); }); // expect potential race
        });
        races("changed in another critical section than the look", () -> {
            Door d = new Door();
            Cell c = new Cell();
            inTurn(
                    () -> { synchronized (d) { use(d.closed); } synchronized (d) { c.v = 1; } }, // expect potential race
                    () -> { synchronized (d) { d.closed = true; } use(c.v); }); // expect potential race
        });
        races("not closed but something else", () -> {
            Door d = new Door();
            Cell c = new Cell();
            inTurn(
                    () -> { synchronized (d) { if (!d.closed) { c.v = 1; } } }, // expect potential race
                    () -> { synchronized (d) { d.other = 1; } use(c.v); }); // expect potential race
        });
        races("what one reads and writes itself is found in any case", () -> {
            Door d = new Door();
            Cell c = new Cell();
            inTurn(
                    () -> { synchronized (d) { d.closed = false; if (!d.closed) { c.v = 1; } } }, // expect potential race
                    () -> { synchronized (d) { d.closed = true; } use(c.v); }); // expect potential race
        });
        ordered("opened and closed by the same thread", () -> {
            Door d = new Door();
            Cell c = new Cell();
            Stage stage = new Stage();
            Thread closer = start(() -> {
                synchronized (d) { d.merging = true; }
                stage.reach(1);
                stage.await(2);
                synchronized (d) { d.merging = false; }
                use(c.v);
            });
            stage.await(1);
            inTurn(() -> { synchronized (d) { if (d.merging) { c.v = 1; } } });
            stage.reach(2);
            Stage.ended(closer);
        });
        races("opened by a third, perhaps after it was closed", () -> {
            Door d = new Door();
            Cell c = new Cell();
            inTurn(
                    () -> { synchronized (d) { d.merging = true; } },
                    () -> { synchronized (d) { if (d.merging) { c.v = 1; } } }, // expect potential race
                    () -> { synchronized (d) { d.merging = false; } use(c.v); }); // expect potential race
        });
        ordered("read behind the look, and changed by who closed", () -> {
            Door d = new Door();
            Cell c = new Cell();
            inTurn(
                    () -> { synchronized (d) { if (!d.closed) { use(c.v); } } },
                    () -> { synchronized (d) { d.closed = true; } c.v = 1; });
        });
        races("read before the look, and changed by who closed", () -> {
            Door d = new Door();
            Cell c = new Cell();
            inTurn(
                    () -> { synchronized (d) { use(c.v); use(d.closed); } }, // expect potential race
                    () -> { synchronized (d) { d.closed = true; } c.v = 1; }); // expect potential race
        });
        ordered("handed on by who closed", () -> {
            Door d = new Door();
            Cell c = new Cell();
            BlockingQueue<Cell> q = new ArrayBlockingQueue<>(1);
            inTurn(
                    () -> { synchronized (d) { if (!d.closed) { c.v = 1; } } },
                    () -> { synchronized (d) { d.closed = true; } q.put(c); },
                    () -> use(q.take().v));
        });
        races("not handed on by who closed", () -> {
            Door d = new Door();
            Cell c = new Cell();
            inTurn(
                    () -> { synchronized (d) { if (!d.closed) { c.v = 1; } } }, // expect potential race
                    () -> { synchronized (d) { d.closed = true; } },
                    () -> { synchronized (d) { d.other = 1; } use(c.v); }); // expect potential race
        });
        ordered("elements, in many critical sections", () -> {
            Door d = new Door();
            int[] a = new int[300];
            inTurn(
                    () -> { for (int i = 0; i < 300; i++) { synchronized (d) { if (!d.closed) { a[i]++; } } } },
                    () -> { synchronized (d) { d.closed = true; } for (int i = 0; i < 300; i++) { use(a[i]); } });
        });
        races("elements, one of them before the look", () -> {
            Door d = new Door();
            int[] a = new int[300];
            inTurn(
                    () -> {
                        for (int i = 0; i < 300; i++) {
                            synchronized (d) {
                                if (i == 150) {
                                    a[i] = 1; // expect potential race
                                } else if (!d.closed) {
                                    a[i] = 2;
                                }
                                use(d.closed);
                            }
                        }
                    },
                    () -> {
                        synchronized (d) { d.closed = true; }
                        use(a[150]); // expect potential race
                        use(a[151]);
                    });
        });
        ordered("a container, and whether it is empty as the flag of another", () -> {
            List<Object> closed = new ArrayList<>();
            List<Object> list = new ArrayList<>();
            inTurn(
                    () -> { synchronized (closed) { if (closed.isEmpty()) { list.add("x"); } } },
                    () -> { synchronized (closed) { closed.add("now"); } use(list.size()); });
        });
        races("a container that is changed before the look", () -> {
            List<Object> closed = new ArrayList<>();
            List<Object> list = new ArrayList<>();
            inTurn(
                    () -> { synchronized (closed) { list.add("x"); use(closed.isEmpty()); } }, // expect potential race
                    () -> { synchronized (closed) { closed.add("now"); } use(list.size()); }); // expect potential race
        });
        ordered("looked at under the read lock, closed under the write lock", () -> {
            ReentrantReadWriteLock l = new ReentrantReadWriteLock();
            Door d = new Door();
            Cell c = new Cell();
            inTurn(
                    () -> { l.readLock().lock(); if (!d.closed) { c.v = 1; } l.readLock().unlock(); },
                    () -> { l.writeLock().lock(); d.closed = true; l.writeLock().unlock(); use(c.v); });
        });
        ordered("with another lock taken and given back in between", () -> {
            Object inner = new Object();
            Door d = new Door();
            Cell c = new Cell();
            inTurn(
                    () -> { synchronized (d) { if (!d.closed) { synchronized (inner) { d.other = 1; } c.v = 1; } } },
                    () -> { synchronized (d) { d.closed = true; } use(c.v); });
        });
        ordered("a volatile flag", () -> {
            Door d = new Door();
            Cell c = new Cell();
            inTurn(
                    () -> { synchronized (d) { if (!d.shut) { c.v = 1; } } },
                    () -> { synchronized (d) { d.shut = true; } use(c.v); });
        });
        races("a volatile flag, changed before the look", () -> {
            Door d = new Door();
            Cell c = new Cell();
            inTurn(
                    () -> { synchronized (d) { c.v = 1; use(d.shut); } }, // expect potential race
                    () -> { synchronized (d) { d.shut = true; } use(c.v); }); // expect potential race
        });
        races("a volatile flag that is set without the lock", () -> {
            Door d = new Door();
            Cell c = new Cell();
            inTurn(
                    () -> { synchronized (d) { if (!d.shut) { c.v = 1; } } }, // expect potential race
                    () -> { synchronized (d) { d.other = 1; } d.shut = true; use(c.v); }); // expect potential race
        });
        races("a volatile flag that is looked at without the lock", () -> {
            Door d = new Door();
            Cell c = new Cell();
            inTurn(
                    () -> { if (!d.shut) { synchronized (d) { c.v = 1; } } }, // expect potential race
                    () -> { synchronized (d) { d.shut = true; } use(c.v); }); // expect potential race
        });
        races("a volatile flag set by a third, perhaps after it was reset", () -> {
            Door d = new Door();
            Cell c = new Cell();
            inTurn(
                    () -> { synchronized (d) { d.shut = true; } },
                    () -> { synchronized (d) { if (d.shut) { c.v = 1; } } }, // expect potential race
                    () -> { synchronized (d) { d.shut = false; } use(c.v); }); // expect potential race
        });
        ordered("a volatile flag that tells a third", () -> {
            Door d = new Door();
            Cell c = new Cell();
            inTurn(
                    () -> { synchronized (d) { if (!d.shut) { c.v = 1; } } },
                    () -> { synchronized (d) { d.shut = true; } },
                    () -> { if (d.shut) { use(c.v); } });
        });
        ordered("an AtomicBoolean", () -> {
            AtomicBoolean shut = new AtomicBoolean();
            Cell c = new Cell();
            inTurn(
                    () -> { synchronized (c) { if (!shut.get()) { c.v = 1; } } },
                    () -> { synchronized (c) { shut.set(true); } use(c.v); });
        });
        races("an AtomicBoolean, changed before the look", () -> {
            AtomicBoolean shut = new AtomicBoolean();
            Cell c = new Cell();
            inTurn(
                    () -> { synchronized (c) { c.v = 1; use(shut.get()); } }, // expect potential race
                    () -> { synchronized (c) { shut.set(true); } use(c.v); }); // expect potential race
        });
        ordered("an AtomicInteger that is counted on", () -> {
            AtomicInteger generation = new AtomicInteger();
            Cell c = new Cell();
            inTurn(
                    () -> { synchronized (c) { if (generation.get() == 0) { c.v = 1; } } },
                    () -> { synchronized (c) { generation.incrementAndGet(); } use(c.v); });
        });
        ordered("an AtomicReference that is compared and set", () -> {
            AtomicReference<Object> owner = new AtomicReference<>();
            Cell c = new Cell();
            inTurn(
                    () -> { synchronized (c) { if (owner.get() == null) { c.v = 1; } } },
                    () -> { synchronized (c) { owner.compareAndSet(null, c); } use(c.v); });
        });
        races("an AtomicReference that is compared and not set", () -> {
            AtomicReference<Object> owner = new AtomicReference<>();
            Cell c = new Cell();
            inTurn(
                    () -> { synchronized (c) { if (owner.get() == null) { c.v = 1; } } }, // expect potential race
                    () -> { synchronized (c) { owner.compareAndSet(c, c); } use(c.v); }); // expect potential race
        });
        races("a latch, which does not open again", () -> {
            CountDownLatch done = new CountDownLatch(0);
            Cell c = new Cell();
            inTurn(
                    () -> { synchronized (c) { done.await(); c.v = 1; } }, // expect potential race
                    () -> { synchronized (c) { done.countDown(); } use(c.v); }); // expect potential race
        });
        races("the lock of the look given back, another one still held", () -> {
            Object outer = new Object();
            Door d = new Door();
            Cell c = new Cell();
            inTurn(
                    () -> { synchronized (outer) { synchronized (d) { use(d.closed); } c.v = 1; } }, // expect potential race
                    () -> {
                        synchronized (outer) { d.other = 1; }
                        synchronized (d) { d.closed = true; }
                        use(c.v); // expect potential race
                    });
        });
    }
}
