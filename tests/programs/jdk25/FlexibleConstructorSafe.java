// expect none
/** Code before super() with locks, loops and branches; the object under construction belongs to its thread. */
public class FlexibleConstructorSafe {
    static class Shared {
        int count;
    }

    static class Base {
        int seen;

        Base(int given) {
            seen = given + early();
        }

        int early() {
            return -1;
        }
    }

    class Inner extends Base {
        int early;
        double ratio;
        Object[] parts;

        Inner(Shared shared, int value) {
            int sum = 0;
            for (int i = 0; i < value; i++) {
                sum += i;
            }
            early = sum;
            ratio = value > 2 ? 0.5 : 1.5;
            parts = new Object[] {value};
            int given;
            synchronized (shared) {
                given = shared.count++;
            }
            super(given);
            seen++;
            synchronized (shared) {
                shared.count += early;
            }
        }

        @Override
        int early() {
            return early;
        }
    }

    public static void main(String[] args) {
        Shared shared = new Shared();
        FlexibleConstructorSafe outer = new FlexibleConstructorSafe();
        Runnable task = () -> {
            Inner inner = outer.new Inner(shared, 4);
            System.out.println(inner.seen + " " + inner.early + " " + inner.ratio + " " + inner.parts.length);
        };
        inTurn(task, task);
    }

    /** One thread per task, each after the end of the one before, without anything that orders them. */
    static void inTurn(Runnable... tasks) {
        for (Runnable task : tasks) {
            Thread thread = new Thread(task);
            thread.start();
            finish(thread);
        }
    }

    /** Unlike join() this is no synchronization (JLS 17.4.5), for whatever detector. */
    static void finish(Thread thread) {
        while (thread.getState() != Thread.State.TERMINATED) {
            Thread.yield();
        }
    }
}
