package order;

import static order.Turns.inTurn;
import static order.Turns.ordered;
import static order.Turns.races;
import static order.Turns.use;

/** Class initialisation (JLS 12.4.2: under the class's lock, which everybody else waits for) and final fields (17.5). */
final class Initialisers {
    static final class Lazy {
        static int made;
        static final Cell INSTANCE = new Cell();

        static {
            made = 1;
            INSTANCE.v = 1;
        }
    }

    static final class Later {
        static int changed = 1;

        static void change() {
            changed = 2; // expect race
        }

        static int get() {
            return changed; // expect race
        }
    }

    static final class Carrying {
        static int carried = 1;
    }

    static final Cell OUTSIDE = new Cell();

    static final class Reaching {
        static int out = 1;

        static {
            OUTSIDE.v = 1; // expect race
        }
    }

    static final class Unlucky {
        static int found = 1;
    }

    enum Kind {
        ONE;

        int uses = 1;
    }

    static final class Settings {
        final int size;
        final int[] sizes;

        Settings(int size) {
            this.size = size;
            this.sizes = new int[] {size}; // false race
        }
    }

    static final class Shelf {
        Settings settings;
        volatile Settings safely;
    }

    record Pair(int left, int right) {}

    static final class PairShelf {
        Pair pair;
    }

    static void run() {
        ordered("class initialiser, then another thread", () -> {
            inTurn(() -> use(Lazy.made), () -> use(Lazy.made), () -> use(Lazy.INSTANCE.v));
        });
        races("written after the class was initialised", () -> {
            // The two lines marked above.
            inTurn(Later::change, Later::get);
        });
        // The initialising thread comes first: what it did before is ordered before everybody's use of the class.
        ordered("what came before the initialisation", () -> {
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; use(Carrying.carried); }, () -> { use(Carrying.carried); c.v++; });
        });
        races("what an initialiser did elsewhere, seen by who does not use the class", () -> {
            inTurn(
                    () -> use(Reaching.out),
                    () -> use(OUTSIDE.v)); // expect race
        });
        races("the class was initialised before", () -> {
            Cell c = new Cell();
            use(Unlucky.found);
            inTurn(
                    () -> { c.v = 1; use(Unlucky.found); }, // expect race
                    () -> { use(Unlucky.found); c.v++; }); // expect race
        });
        ordered("an enum constant's fields, made by its initialiser", () -> {
            inTurn(() -> use(Kind.ONE.uses), () -> use(Kind.ONE.uses));
        });
        races("final fields of an object published without order: the reference alone", () -> {
            Shelf s = new Shelf();
            inTurn(
                    () -> s.settings = new Settings(3), // expect race
                    () -> {
                        Settings found = s.settings; // expect race
                        use(found.size);
                    });
        });
        // JLS 17.5.1: who reads the reference in a final field sees what was done to its object before the freeze.
        races("what a final field refers to: the published reference alone", () -> {
            Shelf s = new Shelf();
            inTurn(
                    () -> s.settings = new Settings(3), // expect race
                    () -> {
                        Settings found = s.settings; // expect race
                        use(found.sizes[0]); // false race
                    });
        });
        ordered("final fields of an object published by a volatile field", () -> {
            Shelf s = new Shelf();
            inTurn(() -> s.safely = new Settings(3), () -> use(s.safely.size + s.safely.sizes[0]));
        });
        races("a record published without order: the reference alone", () -> {
            PairShelf s = new PairShelf();
            inTurn(
                    () -> s.pair = new Pair(1, 2), // expect race
                    () -> {
                        Pair found = s.pair; // expect race
                        use(found.left() + found.right());
                    });
        });
    }
}
