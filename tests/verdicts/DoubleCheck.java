package doublecheck;

/**
 * Paper 000, figure 6 (002's "DoubleCheck"): a long computation on a copy, whose result counts only if the original is
 * still the same; else it is done again. Correct; 000 and 002 report it.
 */
public final class DoubleCheck extends Thread {
    static final class Shared {
        int field = 1;
    }

    private final Shared shared;

    DoubleCheck(Shared shared) {
        this.shared = shared;
    }

    @Override
    public void run() {
        boolean done = false;
        while (!done) {
            int value;
            synchronized (shared) {
                value = shared.field;
            }
            int result = compute(value);
            synchronized (shared) {
                if (value == shared.field) { // expect method-consistency (spurious)
                    shared.field = result;
                    done = true;
                }
            }
        }
    }

    private static int compute(int value) {
        int result = value;
        for (int i = 0; i < 1000; i++) {
            result = result * 31 + i;
        }
        return result;
    }

    public static void main(String[] args) throws InterruptedException {
        Shared shared = new Shared();
        DoubleCheck first = new DoubleCheck(shared);
        DoubleCheck second = new DoubleCheck(shared);
        first.start();
        second.start();
        first.join();
        second.join();
    }
}
