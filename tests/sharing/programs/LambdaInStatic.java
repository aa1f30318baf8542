import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/** Lambdas that lie in a static field or in a static map and capture an object; a thread calls them. */
public class LambdaInStatic {
    static class Cell {
        int stored;
        int mapped;
        int applied;
        int viaLocal;
    }

    static Runnable action;
    static final Map<String, Supplier<Cell>> SUPPLIERS = new HashMap<>();
    static final Function<Cell, Cell> STEP = cell -> {
        cell.applied++; // shared: applied
        return cell;
    };

    public static void main(String[] args) throws Exception {
        Cell cell = new Cell();
        action = () -> cell.stored++; // shared: action, stored
        SUPPLIERS.put("cell", () -> cell);
        cell.applied = 1; // shared: applied
        Thread thread = new Thread(() -> {
            action.run(); // shared: action
            SUPPLIERS.get("cell").get().mapped++; // shared: mapped
            STEP.andThen(STEP).apply(cell);
        });
        thread.start();
        thread.join();
        System.out.println(cell.stored + cell.mapped + cell.applied); // shared: stored, mapped, applied
        Cell own = new Cell();
        Supplier<Cell> supplier = () -> own;
        supplier.get().viaLocal++; // local: viaLocal
        System.out.println(own.viaLocal); // local: viaLocal
    }
}
