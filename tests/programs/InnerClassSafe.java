import java.util.function.IntSupplier;

// expect none
/** Inner, local and anonymous classes with captured values, each used by one thread, or under the lock of the outer. */
public class InnerClassSafe {
    int outerField;

    abstract class Base {
        int seen;

        Base() {
            seen = call();
        }

        abstract int call();
    }

    IntSupplier anonymous(int captured, String name) {
        Base base = new Base() {
            int more = captured;

            @Override
            int call() {
                synchronized (InnerClassSafe.this) {
                    more += captured + name.length();
                    return outerField++ + more;
                }
            }
        };
        return () -> ++base.seen;
    }

    public static void main(String[] args) {
        InnerClassSafe o = new InnerClassSafe();
        Runnable task = () -> System.out.println(o.anonymous(10, "four").getAsInt());
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
