package order;

import static order.Turns.check;
import static order.Turns.inTurn;
import static order.Turns.ordered;
import static order.Turns.races;
import static order.Turns.start;
import static order.Turns.use;

import invisible.Stage;

/** JLS 17.4.4: a write to a volatile variable synchronizes with every subsequent read of it by any thread. */
final class Volatiles {
    static final class Flags {
        volatile int one;
        volatile int other;
        volatile long wide;
        volatile Cell cell;
        volatile int[] array = new int[1];
        int plain;
        static volatile boolean done;
    }

    static void run() {
        ordered("write, then read", () -> {
            Flags f = new Flags();
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; f.one = 1; }, () -> { check(f.one == 1); use(c.v); });
        });
        races("another variable of the same object", () -> {
            Flags f = new Flags();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; f.one = 1; }, // expect race
                    () -> { use(f.other); use(c.v); }); // expect race
        });
        races("the same variable of another object", () -> {
            Flags f = new Flags();
            Flags g = new Flags();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; f.one = 1; }, // expect race
                    () -> { use(g.one); use(c.v); }); // expect race
        });
        races("a plain flag", () -> {
            Flags f = new Flags();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; f.plain = 1; }, // expect race
                    () -> { use(f.plain); use(c.v); }); // expect race
        });
        races("read, then write: that way there is no edge", () -> {
            Flags f = new Flags();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; use(f.one); }, // expect race
                    () -> { f.one = 1; use(c.v); }); // expect race
        });
        races("two writes", () -> {
            Flags f = new Flags();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; f.one = 1; }, // expect race
                    () -> { f.one = 2; use(c.v); }); // expect race
        });
        races("written after the flag", () -> {
            Flags f = new Flags();
            Cell c = new Cell();
            inTurn(
                    () -> { f.one = 1; c.v = 1; }, // expect race
                    () -> { use(f.one); use(c.v); }); // expect race
        });
        races("read before the flag", () -> {
            Flags f = new Flags();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; f.one = 1; }, // expect race
                    () -> { use(c.v); use(f.one); }); // expect race
        });
        // "Every subsequent read", also one that sees the value of a later write.
        ordered("overwritten in between", () -> {
            Flags f = new Flags();
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; f.one = 1; }, () -> f.one = 2, () -> { check(f.one == 2); use(c.v); });
        });
        ordered("two writers, one reader", () -> {
            Flags f = new Flags();
            Cell c = new Cell();
            Cell d = new Cell();
            inTurn(() -> { c.v = 1; f.one = 1; }, () -> { d.v = 1; f.one = 2; }, () -> { use(f.one); use(c.v + d.v); });
        });
        ordered("one writer, two readers", () -> {
            Flags f = new Flags();
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; f.one = 1; }, () -> { use(f.one); use(c.v); }, () -> { use(f.one); use(c.v); });
        });
        races("one writer, two readers, then a reader writes", () -> {
            Flags f = new Flags();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; f.one = 1; },
                    () -> { use(f.one); use(c.v); }, // expect race
                    () -> { use(f.one); c.v = 2; }); // expect race
        });
        ordered("there and back", () -> {
            Flags f = new Flags();
            Cell c = new Cell();
            Stage s = new Stage();
            Thread first = start(() -> {
                c.v = 1;
                f.one = 1;
                s.reach(1);
                s.await(2);
                use(f.other);
                c.v = 3;
            });
            inTurn(() -> { s.await(1); use(f.one); c.v = 2; f.other = 1; s.reach(2); });
            Stage.ended(first);
        });
        ordered("an increment reads and writes", () -> {
            Flags f = new Flags();
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; f.one++; }, () -> { f.one++; c.v++; f.one++; }, () -> { use(f.one); c.v++; });
        });
        ordered("a long", () -> {
            Flags f = new Flags();
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; f.wide = 1; }, () -> { use((int) f.wide); use(c.v); });
        });
        ordered("a static field", () -> {
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; Flags.done = true; }, () -> { check(Flags.done); use(c.v); });
        });
        ordered("published by a volatile reference", () -> {
            Flags f = new Flags();
            inTurn(() -> { Cell c = new Cell(); c.v = 1; f.cell = c; }, () -> use(f.cell.v));
        });
        races("published, then written", () -> {
            Flags f = new Flags();
            inTurn(
                    () -> { Cell c = new Cell(); f.cell = c; c.v = 1; }, // expect race
                    () -> use(f.cell.v)); // expect race
        });
        // JLS 8.3.1.4 speaks of the field: elements of the array it refers to are plain variables.
        races("elements behind a volatile reference", () -> {
            Flags f = new Flags();
            inTurn(
                    () -> f.array[0] = 1, // expect race
                    () -> use(f.array[0])); // expect race
        });
        ordered("elements behind a volatile reference that is written again", () -> {
            Flags f = new Flags();
            inTurn(() -> { int[] a = f.array; a[0] = 1; f.array = a; }, () -> use(f.array[0]));
        });
        ordered("a volatile itself", () -> {
            Flags f = new Flags();
            inTurn(() -> f.one = 1, () -> f.one = 2, () -> use(f.one));
        });
    }
}
