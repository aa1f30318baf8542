import java.util.SplittableRandom;

/** Sorts a large array; the left half of the first partition goes to a second thread. */
public final class QuickSort {
    private static final int SIZE = 6_000_000;
    private static final int SMALL = 24;

    private final int[] original = new int[SIZE];
    private int[] values;

    private QuickSort() {
        SplittableRandom random = new SplittableRandom(21);
        for (int i = 0; i < SIZE; i++) {
            original[i] = random.nextInt();
        }
    }

    private void sort(int from, int to) {
        int low = from;
        int high = to;
        while (high - low > SMALL) {
            int split = partition(low, high);
            // Into the smaller part by recursion, into the larger one by iteration: the stack stays small.
            if (split - low < high - split) {
                sort(low, split);
                low = split;
            } else {
                sort(split, high);
                high = split;
            }
        }
        insertionSort(low, high);
    }

    private int partition(int from, int to) {
        int pivot = median(values[from], values[from + to >>> 1], values[to - 1]);
        int i = from;
        int j = to - 1;
        while (true) {
            while (values[i] < pivot) {
                i++;
            }
            while (values[j] > pivot) {
                j--;
            }
            if (i >= j) {
                return i;
            }
            int swapped = values[i];
            values[i++] = values[j];
            values[j--] = swapped;
        }
    }

    private static int median(int a, int b, int c) {
        return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
    }

    private void insertionSort(int from, int to) {
        for (int i = from + 1; i < to; i++) {
            int value = values[i];
            int k = i;
            while (k > from && values[k - 1] > value) {
                values[k] = values[k - 1];
                k--;
            }
            values[k] = value;
        }
    }

    private long sortAll() throws InterruptedException {
        values = original.clone();
        int split = partition(0, SIZE);
        Thread left = new Thread(() -> sort(0, split));
        left.start();
        sort(split, SIZE);
        left.join();
        long sum = 0;
        for (int i = 1; i < SIZE; i++) {
            if (values[i - 1] > values[i]) {
                throw new IllegalStateException("not sorted at " + i);
            }
            sum = sum * 31 + values[i];
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        Iterations.run(args, new QuickSort()::sortAll);
    }
}
