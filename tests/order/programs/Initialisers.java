package order;

import static order.Turns.inTurn;
import static order.Turns.ordered;
import static order.Turns.races;
import static order.Turns.use;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

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
            this.sizes = new int[] {size};
        }
    }

    /** Fills what its final fields have. */
    static final class Filled {
        final Cell cell = new Cell();
        final java.util.List<String> names = new java.util.ArrayList<>();
        final StringBuilder text = new StringBuilder();

        Filled() {
            cell.v = 1;
            names.add("one");
            text.append("two");
        }

        int read() {
            return cell.v
                    + names.size()
                    + text.length();
        }
    }

    /** Keeps what it is given. */
    static final class Given {
        final Cell cell;
        final Cell[] cells;
        final List<Cell> list;

        Given(Cell cell, Cell[] cells, List<Cell> list) {
            this.cell = cell;
            this.cells = cells;
            this.list = list;
        }
    }

    static void fill(Cell cell, Cell[] cells, List<Cell> list) {
        cell.v = 1;
        cells[1] = cell;
        list.add(cell);
    }

    static final class Node {
        Node next;
        int v;
    }

    static final class Chain {
        final Node first;

        Chain(Node first) {
            this.first = first;
        }
    }

    static final class Around {
        Chain inner;
    }

    static final class Empty {
        final Cell cell = new Cell();
    }

    /** One that is seen before it is made. */
    static final class SeenEarly {
        final Cell cell = new Cell();

        SeenEarly(Shelf s) {
            cell.v = 1; // expect race
            s.early = this; // expect race
        }
    }

    /** The JDK calls it, keeps what it gives, and hands that to other threads. */
    static final ClassValue<Cell> OF_CLASS = new ClassValue<>() {
        @Override
        protected Cell computeValue(Class<?> type) {
            Cell made = new Cell();
            made.v = 1;
            SEEN.v = 1; // expect race
            return made;
        }
    };
    static final Cell SEEN = new Cell();

    /** As in figure 10 of the paper: `this` gets out of the constructor, to whoever calls the listeners. */
    static final class Escaping {
        int i;

        Escaping(List<Runnable> listeners) {
            i = 42; // expect race
            listeners.add(() -> use(i)); // expect race
        }
    }

    static final class EscapingInOrder {
        int i;

        EscapingInOrder(List<Runnable> listeners) {
            i = 42;
            listeners.add(() -> use(i));
        }
    }

    static final class Shelf {
        Settings settings;
        volatile Settings safely;
        Filled filled;
        Empty empty;
        SeenEarly early;
        Given given;
        Chain chain;
        Around around;
        Node node;
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
        races("this escapes from a constructor", () -> {
            List<Runnable> listeners = new ArrayList<>();
            inTurn(
                    () -> new Escaping(listeners),
                    () -> listeners.get(0).run()); // expect race
        });
        ordered("this escapes from a constructor, through a list that locks", () -> {
            List<Runnable> listeners = Collections.synchronizedList(new ArrayList<>());
            inTurn(() -> new EscapingInOrder(listeners), () -> listeners.get(0).run());
        });
        ordered("ClassValue: what was computed", () -> {
            use(OF_CLASS.get(Shelf.class).v);
            inTurn(() -> use(OF_CLASS.get(Settings.class).v), () -> use(OF_CLASS.get(Settings.class).v));
        });
        races("ClassValue: computed for another class", () -> {
            inTurn(
                    () -> use(OF_CLASS.get(Pair.class)),
                    () -> { use(OF_CLASS.get(Shelf.class)); SEEN.v++; }); // expect race
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
        // JLS 17.5.1: who reads the reference in a final field sees what was done to its object before the freeze, and to
        // whatever that leads to.
        races("what a final field refers to: the published reference alone", () -> {
            Shelf s = new Shelf();
            inTurn(
                    () -> s.settings = new Settings(3), // expect race
                    () -> {
                        Settings found = s.settings; // expect race
                        use(found.sizes[0]);
                    });
        });
        races("what a constructor did to objects that its final fields have: the published reference alone", () -> {
            Shelf s = new Shelf();
            inTurn(
                    () -> s.filled = new Filled(), // expect race
                    () -> use(s.filled.read())); // expect race
        });
        races("what others did to objects that a constructor is given: the published reference alone", () -> {
            Shelf s = new Shelf();
            inTurn(
                    () -> {
                        Cell cell = new Cell();
                        Cell[] cells = new Cell[2];
                        List<Cell> list = new ArrayList<>();
                        fill(cell, cells, list);
                        s.given = new Given(cell, cells, list); // expect race
                    },
                    () -> {
                        Given found = s.given; // expect race
                        use(found.cell.v + found.cells[1].v + found.list.get(0).v);
                    });
        });
        races("what is more than a step away from a final field: the published reference alone", () -> {
            Shelf s = new Shelf();
            inTurn(
                    () -> {
                        Node last = new Node();
                        last.v = 1;
                        Node first = new Node();
                        first.next = last;
                        s.chain = new Chain(first); // expect race
                    },
                    () -> use(s.chain.first.next.v)); // expect race
        });
        // It is the freeze of the inner object that makes sure.
        races("by way of an object that was published with another one around it: the published references alone", () -> {
            Shelf s = new Shelf();
            Around around = new Around();
            inTurn(
                    () -> {
                        Node node = new Node();
                        node.v = 1;
                        around.inner = new Chain(node); // expect race
                        s.around = around; // expect race
                    },
                    () -> use(s.around.inner.first.v)); // expect race
        });
        races("what a final field does not lead to", () -> {
            Shelf s = new Shelf();
            Node other = new Node();
            inTurn(
                    () -> {
                        other.v = 1; // expect race
                        s.chain = new Chain(new Node()); // expect race
                    },
                    () -> {
                        use(s.chain.first == null ? 1 : 0); // expect race
                        use(other.v); // expect race
                    });
        });
        races("what a field that is not final leads to", () -> {
            Shelf s = new Shelf();
            Node node = new Node();
            inTurn(
                    () -> {
                        node.next = new Node(); // expect race
                        s.node = node; // expect race
                    },
                    () -> use(s.node.next == null ? 1 : 0)); // expect race
        });
        // Who writes has no promise: 17.5.1 is about what reads may see.
        races("written by who came by way of a final field", () -> {
            Shelf s = new Shelf();
            Node node = new Node();
            inTurn(
                    () -> {
                        node.v = 1; // expect race
                        s.chain = new Chain(node); // expect race
                    },
                    () -> s.chain.first.v = 2); // expect race
        });
        races("written after the freeze, by who has it", () -> {
            Shelf s = new Shelf();
            inTurn(
                    () -> {
                        Node node = new Node();
                        Chain made = new Chain(node);
                        node.v = 1; // expect race
                        s.chain = made; // expect race
                    },
                    () -> use(s.chain.first.v)); // expect race
        });
        // The freeze is the end of the constructor.
        races("what was done to such an object afterwards", () -> {
            Shelf s = new Shelf();
            inTurn(
                    () -> {
                        Empty made = new Empty();
                        made.cell.v = 1; // expect race
                        s.empty = made; // expect race
                    },
                    () -> use(s.empty.cell.v)); // expect race
        });
        races("an object that its constructor gives away has no freeze yet", () -> {
            Shelf s = new Shelf();
            inTurn(() -> use(new SeenEarly(s)), () -> use(s.early.cell.v)); // expect race
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
