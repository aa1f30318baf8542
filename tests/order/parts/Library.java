package order;

/** Woven for itself: whoever uses it does not know what its classes keep. */
public final class Library {
    static final class Cell {
        int v;
    }

    private static final Cell MADE = new Cell();
    private static final Cell LATE = new Cell();
    private final int found;

    static {
        MADE.v = 1;
        LATE.v = 1;
    }

    public Library() {
        found = MADE.v;
    }

    public int found() {
        return found;
    }

    public static int made() {
        return MADE.v;
    }

    public static void change() {
        LATE.v = 2; // expect race
    }

    public static int late() {
        return LATE.v; // expect race
    }
}
