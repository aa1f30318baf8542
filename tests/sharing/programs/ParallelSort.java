import java.util.Arrays;
import java.util.Comparator;
import java.util.concurrent.ForkJoinPool;

/** Arrays.parallelSort, parallelSetAll and parallelPrefix call functions in pool threads; Arrays.sort does not. */
public class ParallelSort {
    static class Counting implements Comparator<Integer> {
        int compared;

        @Override
        public int compare(Integer a, Integer b) {
            synchronized (this) {
                compared++; // shared: compared
            }
            return a.compareTo(b);
        }
    }

    static class Quiet implements Comparator<Integer> {
        int calls;

        @Override
        public int compare(Integer a, Integer b) {
            calls++; // local: calls
            return a.compareTo(b);
        }
    }

    static class Cell {
        int set;
    }

    static synchronized int next(Cell cell) {
        return cell.set++; // shared: set
    }

    public static void main(String[] args) throws Exception {
        Integer[] numbers = new Integer[1 << 14];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = i * 31 % 1009;
        }
        Integer[] copy = numbers.clone();
        Counting counting = new Counting();
        Quiet quiet = new Quiet();
        Cell cell = new Cell();
        ForkJoinPool pool = new ForkJoinPool(2);
        pool.submit(() -> Arrays.parallelSort(numbers, counting)).get();
        pool.submit(() -> Arrays.parallelSetAll(new int[64], i -> next(cell))).get();
        pool.shutdown();
        Arrays.sort(copy, quiet);
        synchronized (counting) {
            System.out.println(counting.compared > 0); // shared: compared
        }
        cell.set++; // shared: set
        System.out.println(cell.set + " " + (quiet.calls > 0)); // shared: set; local: calls
        System.out.println(Arrays.equals(numbers, copy));
    }
}
