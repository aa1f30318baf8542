package rules;

/** What no other thread sees, or not yet. */
public class Confined {
    static class Tour {
        int best;

        /** TSP's benign warning: in a constructor the data is still the thread's own. */
        Tour(Tour old) {
            int value;
            synchronized (this) {
                value = best;
            }
            synchronized (this) {
                best = value + 1; // plain block-local stale-value; without confined block-local stale-value
            }
            old.set(best);
        }

        synchronized void set(int value) {
            best = value;
        }
    }

    static class Local {
        int count;
    }

    /** The object never leaves the method. */
    public static int own() {
        Local local = new Local();
        int value;
        synchronized (local) {
            value = local.count;
        }
        synchronized (local) {
            local.count = value + 1; // plain block-local stale-value
        }
        return value;
    }

    /** Once it is made nobody changes it. */
    static class Fixed {
        private int size;
        private int copy;

        Fixed(int size) {
            this.size = size;
        }

        void copy() {
            int value;
            synchronized (this) {
                value = size;
            }
            synchronized (this) {
                copy = value; // plain block-local stale-value
            }
        }
    }

    public static void use(int value) {
        new Fixed(value).copy();
        new Tour(new Tour(null)).set(value);
    }
}
