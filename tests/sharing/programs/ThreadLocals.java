/** Thread locals that give one object to all threads, or a parent's object to a child; and one that does not. */
public class ThreadLocals {
    static class Cell {
        int same;
        int inherited;
        int fromSubclass;
        int own;
    }

    static final Cell ONE = new Cell();
    static final ThreadLocal<Cell> SAME = ThreadLocal.withInitial(() -> ONE);
    static final InheritableThreadLocal<Cell> INHERITED = new InheritableThreadLocal<>();
    static final ThreadLocal<Cell> SUBCLASS = new ThreadLocal<>() {
        @Override
        protected Cell initialValue() {
            return ONE;
        }
    };
    static final InheritableThreadLocal<Child> CHILD = new InheritableThreadLocal<>() {
        @Override
        protected Child childValue(Child parent) {
            parent.children++; // shared: children
            return parent;
        }
    };

    static class Child {
        int children;
    }

    static void use() {
        SAME.get().same++; // shared: same
        INHERITED.get().inherited++; // shared: inherited
        SUBCLASS.get().fromSubclass++; // shared: fromSubclass
        CHILD.get().children++; // shared: children
        Cell fresh = new Cell();
        fresh.own++; // local: own
    }

    public static void main(String[] args) throws Exception {
        INHERITED.set(new Cell());
        CHILD.set(new Child());
        use();
        Thread thread = new Thread(ThreadLocals::use);
        thread.start();
        thread.join();
        Cell mine = new Cell();
        mine.own += ONE.same + ONE.fromSubclass; // shared: same, fromSubclass; local: own
        System.out.println(mine.own); // local: own
    }
}
