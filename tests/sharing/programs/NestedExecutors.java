import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A worker starts a thread and submits to another pool: main never sees the inner tasks. */
public class NestedExecutors {
    static class Cell {
        int outer;
        int inner;
        int ownOfInner;
        int ownOfOuter;
    }

    static void outer(ExecutorService inner, Cell cell) throws Exception {
        cell.outer++; // shared: outer
        cell.inner = 1; // shared: inner
        inner.submit(() -> inner(cell)).get();
        Thread thread = new Thread(() -> cell.inner++); // shared: inner
        thread.start();
        thread.join();
        Cell own = new Cell();
        own.ownOfOuter++; // local: ownOfOuter
    }

    static void inner(Cell cell) {
        cell.inner++; // shared: inner
        Cell own = new Cell();
        own.ownOfInner++; // local: ownOfInner
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        ExecutorService other = Executors.newSingleThreadExecutor();
        CompletionService<Cell> service = new ExecutorCompletionService<>(pool);
        Cell cell = new Cell();
        service.submit(() -> {
            outer(other, cell);
            return cell;
        });
        Cell result = service.take().get();
        result.outer++; // shared: outer
        pool.shutdown();
        other.shutdown();
        System.out.println(cell.outer); // shared: outer
    }
}
