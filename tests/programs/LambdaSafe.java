import java.util.function.IntBinaryOperator;
import java.util.function.Supplier;

// expect none
/** Accesses inside lambdas, locked inside or outside of them. */
public class LambdaSafe {
    int count;
    static int total;
    final Runnable bump = () -> {
        synchronized (this) {
            count += 2;
        }
    };
    final IntBinaryOperator add = (a, b) -> total += a + b;

    synchronized void step() {
        count++;
    }

    Supplier<Runnable> nested(int by) {
        return () -> () -> {
            synchronized (LambdaSafe.class) {
                synchronized (this) {
                    count += by;
                    total += by;
                }
            }
        };
    }

    void locked() {
        synchronized (LambdaSafe.class) {
            System.out.println(add.applyAsInt(1, 2));
        }
    }

    public static void main(String[] args) {
        LambdaSafe o = new LambdaSafe();
        Supplier<LambdaSafe> make = LambdaSafe::new;
        inTurn(o.bump, o::step, o.nested(4).get(), o::locked, make.get().bump);
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
