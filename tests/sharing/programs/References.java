import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.Optional;

/** Objects behind a WeakReference, a SoftReference and an Optional that another thread opens. */
public class References {
    static class Cell {
        int weak;
        int soft;
        int optional;
        int mapped;
    }

    static class Labelled extends WeakReference<Cell> {
        int label;

        Labelled(Cell cell) {
            super(cell);
        }
    }

    public static void main(String[] args) throws Exception {
        Cell cell = new Cell();
        Labelled weak = new Labelled(cell);
        SoftReference<Cell> soft = new SoftReference<>(cell);
        Optional<Cell> optional = Optional.of(cell);
        weak.label = 1; // shared: label
        cell.weak = cell.soft = 1; // shared: weak, soft
        Thread thread = new Thread(() -> {
            weak.get().weak++; // shared: weak
            weak.label++; // shared: label
            soft.get().soft++; // shared: soft
            optional.ifPresent(c -> c.optional++); // shared: optional
            optional.map(c -> c.mapped++).orElseThrow(); // shared: mapped
        });
        thread.start();
        thread.join();
        cell.optional++; // shared: optional
        cell.mapped++; // shared: mapped
        Cell own = new Cell();
        WeakReference<Cell> ownWeak = new WeakReference<>(own);
        ownWeak.get().weak++; // local: weak
        Optional.of(own).ifPresent(c -> c.optional++); // local: optional
        System.out.println(own.weak + own.optional); // local: weak, optional
        System.out.println(cell.weak + weak.label); // shared: weak, label
    }
}
