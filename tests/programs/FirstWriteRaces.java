/**
 * Constructors write to a field for the first time after `this` got out, by the superclass's constructor or by their
 * own: what the other thread did meanwhile must not be overwritten.
 */
public class FirstWriteRaces {
    interface Counter {
        void count();
    }

    static class Base implements Counter {
        Base() {
            finish(this::count);
        }

        @Override
        public void count() {
        }
    }

    /** Given away by the superclass. */
    static class Sub extends Base {
        int late;

        Sub() {
            late = 1; // expect race: late
        }

        @Override
        public void count() {
            late = 2; // expect race: late
        }
    }

    /** Given away between two writes. */
    static class Own implements Counter {
        int early;
        int after;

        Own() {
            early = 1; // expect race[eraser]: early
            finish(this::count);
            after = 1; // expect race: after
        }

        @Override
        public void count() {
            early++; // expect race[eraser]: early
            after++; // expect race: after
        }
    }

    public static void main(String[] args) {
        System.out.println(new Sub() != null && new Own() != null);
    }

    /** Runs the task in a thread, to its end, without anything that orders what follows. */
    static void finish(Runnable task) {
        Thread thread = new Thread(task);
        thread.start();
        while (thread.getState() != Thread.State.TERMINATED) {
            Thread.yield();
        }
    }
}
