/** Which object a variable holds depends on switches (int, string, enum), ternaries, loops and casts. */
public class BranchFlows {
    static class Cell {
        int switched;
        int string;
        int ternary;
        int looped;
        int pattern;
    }

    enum Kind {
        SHARED, LOCAL
    }

    static Cell global;

    static Cell choose(int which, Cell a, Cell b) {
        switch (which) {
            case 0:
                return a;
            case 1:
                return b;
            default:
                return null;
        }
    }

    static Cell byName(String name, Cell a) {
        return switch (name) {
            case "new" -> new Cell();
            case "global", "static" -> a;
            default -> null;
        };
    }

    static Cell byKind(Kind kind, Cell a) {
        Cell cell = kind == Kind.SHARED ? a : new Cell();
        return cell;
    }

    public static void main(String[] args) throws Exception {
        global = new Cell(); // shared: global
        Object object = global; // shared: global
        Thread thread = new Thread(() -> {
            global.switched++; // shared: global, switched
            global.string++; // shared: global, string
            global.ternary++; // shared: global, ternary
            global.looped++; // shared: global, looped
            global.pattern++; // shared: global, pattern
        });
        thread.start();
        thread.join();
        choose(1, new Cell(), global).switched++; // shared: global, switched
        byName("static", global).string++; // shared: global, string
        byKind(Kind.SHARED, global).ternary++; // shared: global, ternary
        if (object instanceof Cell cell) {
            cell.pattern++; // shared: pattern
        }
        Cell at = new Cell();
        for (int i = 0; i < 2; i++) {
            at.looped++; // shared: looped
            at = global; // shared: global
        }
        Cell mine = new Cell();
        for (int i = 0; i < 3; i++) {
            mine.looped++; // local: looped
            mine = i % 2 == 0 ? new Cell() : mine;
        }
        choose(0, mine, new Cell()).switched++; // local: switched
        System.out.println(mine.looped); // local: looped
    }
}
