package overreporting;

/**
 * Paper 004, program 4 (002's "OverReporting"): filled once by whoever comes first, only read afterwards. Correct; method
 * consistency reports it, as its authors say, since it takes every path to be possible for every thread.
 */
public final class OverReporting extends Thread {
    static final class Table {
        Object[] keys;
        Object[] values;
        volatile boolean filled;

        void fill() {
            if (!filled) {
                synchronized (this) {
                    if (!filled) {
                        keys = new Object[] {"one", "two"}; // plain method-consistency (spurious)
                        values = new Object[] {1, 2};
                        filled = true;
                    }
                }
            }
        }

        synchronized Object get(Object key) {
            for (int i = 0; i < keys.length; i++) {
                if (keys[i].equals(key)) {
                    return values[i];
                }
            }
            return null;
        }
    }

    static Table table;
    Object found;

    @Override
    public void run() {
        table.fill();
        found = table.get("two"); // expect method-consistency (spurious)
    }

    public static void main(String[] args) throws InterruptedException {
        table = new Table();
        OverReporting first = new OverReporting();
        OverReporting second = new OverReporting();
        first.start();
        second.start();
        first.join();
        second.join();
    }
}
