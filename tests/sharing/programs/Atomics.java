import java.util.concurrent.atomic.AtomicMarkableReference;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Objects that travel in atomic references; an AtomicReference that only main has does not share what it holds. */
public class Atomics {
    static class Cell {
        int set;
        int updated;
        int arrayed;
        int marked;
    }

    static final AtomicReference<Cell> REFERENCE = new AtomicReference<>();
    static final AtomicReferenceArray<Cell> ARRAY = new AtomicReferenceArray<>(1);

    public static void main(String[] args) throws Exception {
        Cell cell = new Cell();
        AtomicMarkableReference<Cell> marked = new AtomicMarkableReference<>(null, false);
        REFERENCE.set(cell);
        ARRAY.compareAndSet(0, null, cell);
        marked.set(cell, true);
        Thread thread = new Thread(() -> {
            REFERENCE.get().set++; // shared: set
            ARRAY.get(0).arrayed++; // shared: arrayed
            marked.getReference().marked++; // shared: marked
            REFERENCE.updateAndGet(c -> {
                c.updated++; // shared: updated
                return c;
            });
        });
        thread.start();
        thread.join();
        cell.set++; // shared: set
        cell.updated++; // shared: updated
        cell.arrayed++; // shared: arrayed
        cell.marked++; // shared: marked
        AtomicReference<Cell> own = new AtomicReference<>(new Cell());
        own.get().set++; // local: set
        own.accumulateAndGet(new Cell(), (a, b) -> a).updated++; // local: updated
        System.out.println(own.get().set); // local: set
    }
}
