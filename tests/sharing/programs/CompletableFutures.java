import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Stages of a CompletableFuture, async or not, run in the thread that completes it and see what went before. */
public class CompletableFutures {
    static class Cell {
        int supplied;
        int applied;
        int accepted;
        int completed;
        int handled;
        int combined;
        int composed;
        int exceptional;
        int ran;
    }

    static class Counter {
        int steps;
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        CountDownLatch go = new CountDownLatch(1);
        Cell cell = new Cell();
        CompletableFuture<Cell> first = CompletableFuture.supplyAsync(() -> {
            await(go);
            cell.supplied++; // shared: supplied
            return cell;
        }, pool);
        CompletableFuture<Void> all = first.thenApply(c -> {
            c.applied++; // shared: applied
            return c;
        }).whenComplete((c, e) -> c.completed++).handle((c, e) -> { // shared: completed
            c.handled++; // shared: handled
            return c;
        }).thenCombine(first, (c, d) -> {
            d.combined++; // shared: combined
            return c;
        }).thenCompose(c -> {
            c.composed++; // shared: composed
            return CompletableFuture.completedFuture(c);
        }).thenAccept(c -> c.accepted++); // shared: accepted
        CompletableFuture<Object> failed = first.thenApply(c -> {
            throw new IllegalStateException();
        }).exceptionally(e -> cell.exceptional++); // shared: exceptional
        CompletableFuture<Void> ran = CompletableFuture.runAsync(() -> cell.ran++, pool); // shared: ran
        go.countDown();
        all.get();
        failed.get();
        ran.get();
        pool.shutdown();
        Counter counter = new Counter();
        counter.steps = cell.supplied + cell.applied; // shared: supplied, applied; local: steps
        counter.steps += cell.accepted + cell.completed; // shared: accepted, completed; local: steps
        counter.steps += cell.handled + cell.combined; // shared: handled, combined; local: steps
        counter.steps += cell.composed + cell.exceptional; // shared: composed, exceptional; local: steps
        counter.steps += cell.ran; // shared: ran; local: steps
        System.out.println(counter.steps); // local: steps
    }

    static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
