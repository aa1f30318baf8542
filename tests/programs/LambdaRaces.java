import java.util.function.IntBinaryOperator;
import java.util.function.Supplier;

/** Accesses inside lambdas: capturing this, capturing values, nested, in a field initialiser, and method references. */
public class LambdaRaces {
    int count;
    static int total;
    final Runnable bump = () -> count += 2; // expect race: count
    final IntBinaryOperator add = (a, b) -> total += a + b; // expect race: total

    void step() {
        count++; // expect race: count
    }

    Supplier<Runnable> nested(int by) {
        return () -> () -> {
            count += by; // expect race: count
            total += by; // expect race: total
        };
    }

    public static void main(String[] args) {
        LambdaRaces o = new LambdaRaces();
        Supplier<LambdaRaces> make = LambdaRaces::new;
        inTurn(o.bump, o::step, o.nested(4).get(), () -> o.add.applyAsInt(1, 2), make.get().bump);
        System.out.println("done");
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
