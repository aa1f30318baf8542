import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** Lambdas capture an object, this, an object through another lambda; look-alikes are captured and run at once. */
public class LambdaCaptures {
    static class Cell {
        int value;
        int nested;
        int inside;
    }

    int own;

    Runnable ownTask() {
        return () -> own++; // shared: own
    }

    static Supplier<Runnable> twice(Cell cell) {
        return () -> () -> cell.nested++; // shared: nested
    }

    static int now(IntSupplier task) {
        return task.getAsInt();
    }

    public static void main(String[] args) throws Exception {
        Cell cell = new Cell();
        Cell other = new Cell();
        LambdaCaptures captures = new LambdaCaptures();
        cell.value = 1; // shared: value
        cell.nested = 1; // shared: nested
        captures.own = 1; // shared: own
        inThread(() -> cell.value++); // shared: value
        inThread(captures.ownTask());
        inThread(twice(cell).get());
        inThread(() -> {
            Cell fresh = new Cell();
            now(() -> fresh.inside++); // local: inside
        });
        other.value = now(() -> other.value + 2); // local: value
        System.out.println(cell.value + cell.nested); // shared: value, nested
        System.out.println(captures.own); // shared: own
        System.out.println(other.value); // local: value
    }

    /** Runs the task in a thread of its own and waits for its end. */
    static void inThread(Runnable task) throws InterruptedException {
        Thread thread = new Thread(task);
        thread.start();
        thread.join();
    }
}
