package program;

import java.util.function.IntSupplier;

/** What is observed. */
class Parts implements Iface {
    long wide;
    double real;
    private final String name;

    Parts(String name) {
        this.name = name;
    }

    long add(int a, long b) {
        return a + b;
    }

    int fail(int x) {
        throw new IllegalStateException("x" + x);
    }

    double twice(double d) {
        if (d > 100) {
            d = 100;
        }
        return d * 2;
    }

    static void thrower(int[] values) {
        values[9] = 1;
    }

    static String give(Object o) {
        return String.valueOf(o != null);
    }

    void refused() { }

    synchronized long locked(long a, double b) {
        return a + (long) b;
    }

    static synchronized void lockedClass() throws InterruptedException {
        Parts.class.wait(1);
    }

    synchronized void lockedAndThrows() {
        throw new IllegalStateException("inside");
    }

    int block(Object lock, IntSupplier supplier) {
        synchronized (lock) {
            return supplier.getAsInt();
        }
    }

    boolean own() {
        return iface();
    }

    @Deprecated
    void ancient() { }

    @Override
    public String toString() {
        return name;
    }
}
