import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;

/** The lambdas of a parallel stream run in pool threads, those of the sequential stream beside it in main only. */
public class ParallelStreams {
    static class Cell {
        int parallel;
        int seen;
    }

    static int total;

    static synchronized void add(Cell cell, int by) {
        cell.parallel += by; // shared: parallel
        total += by; // shared: total
    }

    public static void main(String[] args) throws Exception {
        Cell cell = new Cell();
        cell.parallel = 1; // shared: parallel
        total = 1; // shared: total
        // In a pool of its own, so that not even the first element runs in main.
        ForkJoinPool pool = new ForkJoinPool(2);
        pool.submit(() -> IntStream.range(0, 100).parallel().forEach(i -> add(cell, i))).get();
        pool.shutdown();
        Cell local = new Cell();
        IntStream.range(0, 100).sequential().forEach(i -> local.seen += i); // local: seen
        IntStream.range(0, 9).peek(i -> local.seen++).map(i -> local.seen * i).filter(i -> i > 4).sum(); // local: seen
        System.out.println(cell.parallel + " " + total + " " + local.seen); // shared: parallel, total; local: seen
    }
}
