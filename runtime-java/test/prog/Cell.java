package prog;

import racewire.rt.Hooks;
import racewire.rt.Sites;

/** A class as the weaver leaves it, by hand: one instance field, one static field, each with its word. */
class Cell implements Cloneable {
    static final int GET = 0 << 6 | 0;
    static final int SET = 1 << 6 | 1;
    static final int ADD_READ = 2 << 6 | 2;
    static final int ADD_WRITE = 3 << 6 | 3;
    static final int TOTAL_READ = 4 << 6 | 0;
    static final int TOTAL_WRITE = 5 << 6 | 1;
    static final int OVERFLOW_SET = 6 << 6 | 31;

    int value;
    transient long $racewire$value;
    static int total;
    static transient long $racewire$total;

    int get() {
        $racewire$at$0(this, GET);
        return value;
    }

    void set(int v) {
        $racewire$at$0(this, SET);
        value = v;
    }

    void add() {
        $racewire$at$0(this, ADD_READ);
        int v = value + 1;
        $racewire$at$0(this, ADD_WRITE);
        value = v;
    }

    void overflowSet(int v) {
        $racewire$at$0(this, OVERFLOW_SET);
        value = v;
    }

    void lockedAdd() {
        Hooks.beforeLock(this);
        synchronized (this) {
            try {
                Hooks.afterLock(this);
                add();
            } finally {
                Hooks.beforeUnlock(this);
            }
        }
        Hooks.afterUnlock(this);
    }

    static void addTotal() {
        $racewire$at$1(TOTAL_READ);
        int v = total + 1;
        $racewire$at$1(TOTAL_WRITE);
        total = v;
    }

    @Override
    protected Cell clone() throws CloneNotSupportedException {
        Cell copy = (Cell) super.clone();
        Hooks.cloned(copy);
        return copy;
    }

    static void $racewire$at$0(Cell o, int site) {
        if (o != null && Hooks.changed(o.$racewire$value, site, o)) {
            $racewire$slow(o, site);
        }
    }

    static void $racewire$at$1(int site) {
        if (Hooks.changed($racewire$total, site, null)) {
            $racewire$slow(null, site);
        }
    }

    private static void $racewire$slow(Object o, int site) {
        Sites s = Sites.of(Cell.class);
        if (s == null) {
            s = Sites.register(Cell.class, new Table("prog/Cell", "Cell.java")
                    .field("prog/Cell", "value", "I", false)
                    .field("prog/Cell", "total", "I", true)
                    .method("get", "()I").method("set", "(I)V").method("add", "()V").method("addTotal", "()V")
                    .method("overflowSet", "(I)V")
                    .site(0, 26, 0, 'r', 0).site(1, 31, 0, 'w', 1)
                    .site(2, 36, 0, 'r', 2).site(2, 38, 0, 'w', 3)
                    .site(3, 62, 1, 'r', 0).site(3, 64, 1, 'w', 1)
                    .site(4, 43, 0, 'w', 31).toString());
        }
        Hooks.access(s, o, site);
    }
}
