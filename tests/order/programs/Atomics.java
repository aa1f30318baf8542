package order;

import static order.Turns.check;
import static order.Turns.inTurn;
import static order.Turns.ordered;
import static order.Turns.races;
import static order.Turns.use;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicMarkableReference;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.atomic.AtomicStampedReference;
import java.util.concurrent.atomic.DoubleAccumulator;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** Atomics: each method has the memory effects of the VarHandle mode its documentation names. */
final class Atomics {
    static final class Updated {
        volatile int n;
        volatile long w;
        volatile Object r;
        static final AtomicIntegerFieldUpdater<Updated> N = AtomicIntegerFieldUpdater.newUpdater(Updated.class, "n");
        static final AtomicLongFieldUpdater<Updated> W = AtomicLongFieldUpdater.newUpdater(Updated.class, "w");
        static final AtomicReferenceFieldUpdater<Updated, Object> R =
                AtomicReferenceFieldUpdater.newUpdater(Updated.class, Object.class, "r");
    }

    static void run() {
        integers();
        modes();
        others();
        arrays();
        references();
        updaters();
        adders();
    }

    private static void integers() {
        ordered("AtomicInteger: set, get", () -> {
            AtomicInteger a = new AtomicInteger();
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; a.set(1); }, () -> { check(a.get() == 1); use(c.v); });
        });
        races("AtomicInteger: another one", () -> {
            AtomicInteger a = new AtomicInteger();
            AtomicInteger b = new AtomicInteger();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; a.set(1); }, // expect race
                    () -> { use(b.get()); use(c.v); }); // expect race
        });
        races("AtomicInteger: get, set: that way there is no edge", () -> {
            AtomicInteger a = new AtomicInteger();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; use(a.get()); }, // expect race
                    () -> { a.set(1); use(c.v); }); // expect race
        });
        races("AtomicInteger: written after set", () -> {
            AtomicInteger a = new AtomicInteger();
            Cell c = new Cell();
            inTurn(
                    () -> { a.set(1); c.v = 1; }, // expect race
                    () -> { use(a.get()); use(c.v); }); // expect race
        });
        ordered("AtomicInteger: every update reads and writes", () -> {
            AtomicInteger a = new AtomicInteger();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; a.incrementAndGet(); },
                    () -> { a.getAndIncrement(); c.v++; a.decrementAndGet(); },
                    () -> { a.getAndDecrement(); c.v++; a.addAndGet(2); },
                    () -> { a.getAndAdd(2); c.v++; a.getAndSet(3); },
                    () -> { a.updateAndGet(x -> x + 1); c.v++; a.getAndUpdate(x -> x + 1); },
                    () -> { a.accumulateAndGet(2, Integer::sum); c.v++; a.getAndAccumulate(2, Integer::sum); },
                    () -> { a.get(); c.v++; });
        });
    }

    private static void modes() {
        ordered("compareAndSet that succeeds reads and writes", () -> {
            AtomicInteger a = new AtomicInteger();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; check(a.compareAndSet(0, 1)); },
                    () -> { check(a.compareAndSet(1, 2)); c.v++; });
        });
        // getVolatile's effect holds "if the witness value" differs, too.
        ordered("compareAndSet that fails has read", () -> {
            AtomicInteger a = new AtomicInteger();
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; a.set(1); }, () -> { check(!a.compareAndSet(0, 2)); use(c.v); });
        });
        races("compareAndSet that fails has written nothing", () -> {
            AtomicInteger a = new AtomicInteger();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; check(!a.compareAndSet(5, 6)); }, // expect race
                    () -> { use(a.get()); use(c.v); }); // expect race
        });
        // lazySet is setRelease: nothing before it moves behind it; a read that sees it is ordered after.
        ordered("lazySet, get", () -> {
            AtomicInteger a = new AtomicInteger();
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; a.lazySet(1); }, () -> { check(a.get() == 1); use(c.v); });
        });
        ordered("setRelease, getAcquire", () -> {
            AtomicInteger a = new AtomicInteger();
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; a.setRelease(1); }, () -> { check(a.getAcquire() == 1); use(c.v); });
        });
        races("setPlain has the effect of no volatile write", () -> {
            AtomicInteger a = new AtomicInteger();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; a.setPlain(1); }, // expect race
                    () -> { use(a.get()); use(c.v); }); // expect race
        });
        races("getPlain has the effect of no volatile read", () -> {
            AtomicInteger a = new AtomicInteger();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; a.set(1); }, // expect race
                    () -> { use(a.getPlain()); use(c.v); }); // expect race
        });
        // Opaque: "no assurance of memory ordering effects with respect to other threads".
        races("setOpaque, getOpaque", () -> {
            AtomicInteger a = new AtomicInteger();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; a.setOpaque(1); }, // expect race
                    () -> { use(a.getOpaque()); use(c.v); }); // expect race
        });
        ordered("compareAndExchange, its acquire and its release", () -> {
            AtomicInteger a = new AtomicInteger();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; a.compareAndExchangeRelease(0, 1); },
                    () -> { check(a.compareAndExchangeAcquire(1, 2) == 1); c.v++; a.compareAndExchange(2, 3); },
                    () -> { check(a.compareAndExchange(3, 4) == 3); c.v++; });
        });
        races("compareAndExchangeAcquire releases nothing", () -> {
            AtomicInteger a = new AtomicInteger();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; a.compareAndExchangeAcquire(0, 1); }, // expect race
                    () -> { use(a.get()); use(c.v); }); // expect race
        });
        races("compareAndExchangeRelease acquires nothing", () -> {
            AtomicInteger a = new AtomicInteger();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; a.set(1); }, // expect race
                    () -> { a.compareAndExchangeRelease(1, 2); use(c.v); }); // expect race
        });
        races("weakCompareAndSetPlain", () -> {
            AtomicInteger a = new AtomicInteger();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; a.weakCompareAndSetPlain(0, 1); }, // expect race
                    () -> { a.weakCompareAndSetPlain(1, 2); use(c.v); }); // expect race
        });
        ordered("weakCompareAndSetVolatile", () -> {
            AtomicInteger a = new AtomicInteger();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; while (!a.weakCompareAndSetVolatile(0, 1)) { } },
                    () -> { while (!a.weakCompareAndSetVolatile(1, 2)) { } use(c.v); });
        });
    }

    private static void others() {
        ordered("AtomicLong", () -> {
            AtomicLong a = new AtomicLong();
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; a.incrementAndGet(); }, () -> { use((int) a.get()); c.v++; a.set(3); },
                    () -> { a.getAndAdd(1); c.v++; });
        });
        races("AtomicLong: written after", () -> {
            AtomicLong a = new AtomicLong();
            Cell c = new Cell();
            inTurn(
                    () -> { a.incrementAndGet(); c.v = 1; }, // expect race
                    () -> { use((int) a.get()); use(c.v); }); // expect race
        });
        ordered("AtomicBoolean", () -> {
            AtomicBoolean a = new AtomicBoolean();
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; a.set(true); }, () -> { check(a.getAndSet(true)); c.v++; a.compareAndSet(true, false); },
                    () -> { use(a.get()); c.v++; });
        });
        races("AtomicBoolean: get, set", () -> {
            AtomicBoolean a = new AtomicBoolean();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; use(a.get()); }, // expect race
                    () -> { a.set(true); use(c.v); }); // expect race
        });
    }

    private static void arrays() {
        ordered("AtomicIntegerArray: one element", () -> {
            AtomicIntegerArray a = new AtomicIntegerArray(2);
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; a.set(0, 1); }, () -> { check(a.get(0) == 1); c.v++; a.incrementAndGet(0); },
                    () -> { a.getAndAdd(0, 1); c.v++; });
        });
        races("AtomicIntegerArray: another element", () -> {
            AtomicIntegerArray a = new AtomicIntegerArray(2);
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; a.set(0, 1); }, // expect race
                    () -> { use(a.get(1)); use(c.v); }); // expect race
        });
        ordered("AtomicLongArray: one element", () -> {
            AtomicLongArray a = new AtomicLongArray(2);
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; a.addAndGet(1, 1); }, () -> { use((int) a.get(1)); c.v++; });
        });
        races("AtomicLongArray: another element", () -> {
            AtomicLongArray a = new AtomicLongArray(2);
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; a.addAndGet(1, 1); }, // expect race
                    () -> { use((int) a.get(0)); use(c.v); }); // expect race
        });
        ordered("AtomicReferenceArray: one element", () -> {
            AtomicReferenceArray<Cell> a = new AtomicReferenceArray<>(2);
            inTurn(() -> { Cell c = new Cell(); c.v = 1; a.set(1, c); }, () -> use(a.get(1).v));
        });
        races("AtomicReferenceArray: another element", () -> {
            AtomicReferenceArray<Cell> a = new AtomicReferenceArray<>(2);
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; a.set(1, c); }, // expect race
                    () -> { use(a.get(0)); use(c.v); }); // expect race
        });
    }

    private static void references() {
        ordered("AtomicReference", () -> {
            AtomicReference<Cell> a = new AtomicReference<>();
            inTurn(
                    () -> { Cell c = new Cell(); c.v = 1; a.set(c); },
                    () -> { Cell c = a.getAndUpdate(x -> x); c.v++; check(a.compareAndSet(c, c)); },
                    () -> a.get().v++);
        });
        races("AtomicReference: published, then written", () -> {
            AtomicReference<Cell> a = new AtomicReference<>();
            inTurn(
                    () -> { Cell c = new Cell(); a.set(c); c.v = 1; }, // expect race
                    () -> use(a.get().v)); // expect race
        });
        ordered("AtomicMarkableReference", () -> {
            AtomicMarkableReference<String> a = new AtomicMarkableReference<>("x", false);
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; a.set("y", true); }, () -> { check(a.isMarked()); c.v++; a.attemptMark("y", false); },
                    () -> { use(a.getReference()); c.v++; });
        });
        races("AtomicMarkableReference: a compareAndSet that fails", () -> {
            AtomicMarkableReference<String> a = new AtomicMarkableReference<>("x", false);
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; check(!a.compareAndSet("z", "y", false, true)); }, // expect race
                    () -> { use(a.getReference()); use(c.v); }); // expect race
        });
        ordered("AtomicStampedReference", () -> {
            AtomicStampedReference<String> a = new AtomicStampedReference<>("x", 0);
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; check(a.compareAndSet("x", "y", 0, 1)); }, () -> { use(a.get(new int[1])); c.v++; });
        });
        races("AtomicStampedReference: written after", () -> {
            AtomicStampedReference<String> a = new AtomicStampedReference<>("x", 0);
            Cell c = new Cell();
            inTurn(
                    () -> { a.set("y", 1); c.v = 1; }, // expect race
                    () -> { use(a.getStamp()); use(c.v); }); // expect race
        });
    }

    /** An updater's access is one to the volatile field itself: both ways of access order each other. */
    private static void updaters() {
        ordered("AtomicIntegerFieldUpdater and the field", () -> {
            Updated u = new Updated();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; Updated.N.incrementAndGet(u); },
                    () -> { check(u.n == 1); c.v++; u.n = 2; },
                    () -> { check(Updated.N.get(u) == 2); c.v++; });
        });
        races("AtomicIntegerFieldUpdater: another object", () -> {
            Updated u = new Updated();
            Updated w = new Updated();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; Updated.N.set(u, 1); }, // expect race
                    () -> { use(Updated.N.get(w)); use(c.v); }); // expect race
        });
        ordered("AtomicLongFieldUpdater", () -> {
            Updated u = new Updated();
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; Updated.W.lazySet(u, 1); }, () -> { use((int) Updated.W.get(u)); c.v++; });
        });
        races("AtomicLongFieldUpdater: another field", () -> {
            Updated u = new Updated();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; Updated.W.set(u, 1); }, // expect race
                    () -> { use(Updated.N.get(u)); use(c.v); }); // expect race
        });
        ordered("AtomicReferenceFieldUpdater", () -> {
            Updated u = new Updated();
            inTurn(() -> { Cell c = new Cell(); c.v = 1; check(Updated.R.compareAndSet(u, null, c)); }, () -> ((Cell) u.r).v++);
        });
        races("AtomicReferenceFieldUpdater: published, then written", () -> {
            Updated u = new Updated();
            inTurn(
                    () -> { Cell c = new Cell(); Updated.R.set(u, c); c.v = 1; }, // expect race
                    () -> ((Cell) u.r).v++); // expect race
        });
    }

    /**
     * Adders and accumulators say nothing of memory effects. They are atomic variables by name and make (updates are
     * volatile writes of a cell, the sum reads all cells), and programs wait for a sum: an update is taken to be ordered
     * before whoever asks for the sum, an update and an update are not.
     */
    private static void adders() {
        ordered("LongAdder: add, sum", () -> {
            LongAdder a = new LongAdder();
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; a.increment(); }, () -> { check(a.sum() == 1); use(c.v); });
        });
        races("LongAdder: written after the update", () -> {
            LongAdder a = new LongAdder();
            Cell c = new Cell();
            inTurn(
                    () -> { a.increment(); c.v = 1; }, // expect race
                    () -> { use((int) a.sum()); use(c.v); }); // expect race
        });
        races("LongAdder: two updates", () -> {
            LongAdder a = new LongAdder();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; a.add(1); }, // expect race
                    () -> { a.add(1); use(c.v); }); // expect race
        });
        ordered("LongAccumulator, DoubleAdder, DoubleAccumulator", () -> {
            LongAccumulator l = new LongAccumulator(Long::max, 0);
            DoubleAdder d = new DoubleAdder();
            DoubleAccumulator x = new DoubleAccumulator(Math::max, 0);
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; l.accumulate(1); },
                    () -> { use((int) l.get()); c.v++; d.add(1); },
                    () -> { use((int) d.sum()); c.v++; x.accumulate(1); },
                    () -> { use((int) x.get()); c.v++; });
        });
        races("LongAccumulator: another one", () -> {
            LongAccumulator l = new LongAccumulator(Long::max, 0);
            LongAccumulator k = new LongAccumulator(Long::max, 0);
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; l.accumulate(1); }, // expect race
                    () -> { use((int) k.get()); use(c.v); }); // expect race
        });
        races("DoubleAdder, DoubleAccumulator: another one", () -> {
            DoubleAdder d = new DoubleAdder();
            DoubleAccumulator x = new DoubleAccumulator(Math::max, 0);
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; d.add(1); }, // expect race
                    () -> { use((int) x.get()); use(c.v); }); // expect race
        });
    }
}
