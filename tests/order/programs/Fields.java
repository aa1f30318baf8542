package order;

import static order.Turns.inTurn;
import static order.Turns.ordered;
import static order.Turns.races;
import static order.Turns.use;

/** Conflicts themselves (JLS 17.4.1: the same variable, one of the two a write) and program order. */
final class Fields {
    static class Base {
        int inherited;
        long wide;
        double real;
        boolean truth;
        byte small;
        Object reference;
        static int ofClass;
        static int left;
        static int right;
    }

    static class Derived extends Base {
        int own;
    }

    static final class Box<T> {
        T value;
    }

    static void run() {
        ordered("program order: one thread", () -> {
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; use(c.v); c.v++; });
        });
        races("write, write", () -> {
            Cell c = new Cell();
            inTurn(
                    () -> c.v = 1, // expect race
                    () -> c.v = 2); // expect race
        });
        races("write, read", () -> {
            Cell c = new Cell();
            inTurn(
                    () -> c.v = 1, // expect race
                    () -> use(c.v)); // expect race
        });
        races("read, write", () -> {
            Cell c = new Cell();
            inTurn(
                    () -> use(c.v), // expect race
                    () -> c.v = 1); // expect race
        });
        ordered("read, read", () -> {
            Cell c = new Cell();
            inTurn(() -> use(c.v), () -> use(c.v), () -> use(c.v));
        });
        races("two readers, then a writer: with each of them", () -> {
            Cell c = new Cell();
            inTurn(
                    () -> use(c.v), // expect race
                    () -> use(c.v), // expect race
                    () -> c.v = 1); // expect race
        });
        races("an increment", () -> {
            Cell c = new Cell();
            inTurn(
                    () -> c.v++, // expect race
                    () -> c.v++); // expect race
        });
        ordered("the same field of two objects", () -> {
            Cell c = new Cell();
            Cell d = new Cell();
            inTurn(() -> c.v = 1, () -> d.v = 1);
        });
        ordered("neighbouring fields of one object (JLS 17.6: no word tearing)", () -> {
            Derived d = new Derived();
            inTurn(() -> d.truth = true, () -> d.small = 1, () -> d.own = 1, () -> d.inherited = 1);
        });
        races("a field reached through two classes is one variable", () -> {
            Derived d = new Derived();
            Base b = d;
            inTurn(
                    () -> d.inherited = 1, // expect race
                    () -> use(b.inherited)); // expect race
        });
        races("a long", () -> {
            Base b = new Base();
            inTurn(
                    () -> b.wide = 1, // expect race
                    () -> use(b.wide)); // expect race
        });
        races("a double", () -> {
            Base b = new Base();
            inTurn(
                    () -> b.real = 1, // expect race
                    () -> use(b.real)); // expect race
        });
        races("a boolean and a byte", () -> {
            Base b = new Base();
            inTurn(
                    () -> b.truth = true, // expect race
                    () -> use(b.truth), // expect race
                    () -> b.small = 1, // expect race
                    () -> use(b.small)); // expect race
        });
        races("a reference", () -> {
            Box<String> b = new Box<>();
            inTurn(
                    () -> b.value = "x", // expect race
                    () -> use(b.value)); // expect race
        });
        races("a static field", () -> {
            inTurn(
                    () -> Base.ofClass = 1, // expect race
                    () -> use(Base.ofClass)); // expect race
        });
        ordered("two static fields", () -> {
            inTurn(() -> Base.left = 1, () -> Base.right = 1);
        });
        races("a static field through a subclass", () -> {
            inTurn(
                    () -> StaticToo.shared = 1, // expect race
                    () -> use(StaticBase.shared)); // expect race
        });
    }

    static class StaticBase {
        static int shared;
    }

    static class StaticToo extends StaticBase {}
}
