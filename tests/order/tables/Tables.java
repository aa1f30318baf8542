package order;

import static order.Turns.inTurn;
import static order.Turns.ordered;
import static order.Turns.races;
import static order.Turns.use;

/**
 * Arrays that the analysis may take for written only before others see them: in a program of its own, where all code is
 * known. Each way to write one later is a case.
 */
final class Tables {
    static final int[] SQUARES = new int[10];

    static {
        for (int i = 0; i < SQUARES.length; i++) {
            SQUARES[i] = i * i;
        }
    }

    static final int[] LATE = {1, 2, 3};
    static final int[] HANDED = {1, 2, 3};
    static final int[] FILLED = {1, 2, 3};
    static final int[] COPIED = {1, 2, 3};
    static final int[] NAMED = {1, 2, 3};

    static void set(int[] any, int value) {
        any[1] = value; // expect race
    }

    static final class Own {
        final int[] sizes = new int[3];
        final int[] late = new int[3];
        final int[] given;
        volatile int[] snapshot = {};

        Own(int[] given) {
            this.given = given;
            sizes[1] = 7;
            late[1] = 7;
        }

        int size() {
            return sizes[1];
        }

        void change() {
            late[1] = 8; // expect race
        }

        int late() {
            return late[1]; // expect race
        }

        int given() {
            return given[1]; // expect race
        }

        void grow() {
            int[] next = new int[snapshot.length + 2];
            next[1] = 5;
            snapshot = next;
        }
    }

    /** Gives its array away before it is full. */
    static final class Early {
        static int[] seen;

        Early() {
            int[] made = new int[3];
            seen = made; // expect race
            made[1] = 1; // expect race
        }
    }

    public static void main(String[] args) {
        ordered("a table of its class", () -> inTurn(() -> use(SQUARES[3]), () -> use(SQUARES[3])));
        races("a table that is changed", () -> inTurn(
                () -> LATE[1] = 7, // expect race
                () -> use(LATE[1]))); // expect race
        races("a table that a method changes", () -> inTurn(
                () -> set(HANDED, 7),
                () -> use(HANDED[1]))); // expect race
        races("a table that the JDK changes", () -> inTurn(
                () -> java.util.Arrays.fill(FILLED, 7), // expect race
                () -> use(FILLED[1]))); // expect race
        races("a table that is copied to", () -> inTurn(
                () -> System.arraycopy(SQUARES, 0, COPIED, 0, 2), // expect race
                () -> use(COPIED[1]))); // expect race
        races("a table by another name", () -> inTurn(
                () -> { int[] same = NAMED; same[1] = 2; }, // expect race
                () -> use(NAMED[1]))); // expect race
        ordered("what a constructor fills", () -> {
            Own own = new Own(SQUARES);
            inTurn(() -> use(own.size()), () -> use(own.size()));
        });
        races("what a method changes after the constructor", () -> {
            Own own = new Own(SQUARES);
            inTurn(own::change, () -> use(own.late()));
        });
        races("what a constructor was given", () -> {
            int[] mine = new int[3];
            Own own = new Own(mine);
            inTurn(
                    () -> mine[1] = 1, // expect race
                    () -> use(own.given()));
        });
        ordered("snapshots", () -> {
            Own own = new Own(SQUARES);
            inTurn(own::grow, () -> use(own.snapshot[1]));
        });
        races("an array that is given away before it is full", () -> inTurn(
                Early::new,
                () -> {
                    int[] found = Early.seen; // expect race
                    use(found[1]); // expect race
                }));
    }
}
