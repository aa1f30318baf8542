import java.util.SplittableRandom;

/** Product of two matrices, row by row, two threads that take blocks of rows from a shared counter. */
public final class MatrixMultiply {
    private static final int SIZE = 640;
    private static final int BLOCK = 16;
    private static final int PRODUCTS = 14;
    private static final int THREADS = 2;

    static final class Matrix {
        private final double[][] rows;

        Matrix(long seed) {
            rows = new double[SIZE][SIZE];
            if (seed != 0) {
                SplittableRandom random = new SplittableRandom(seed);
                for (double[] row : rows) {
                    for (int i = 0; i < SIZE; i++) {
                        row[i] = random.nextDouble() - 0.5;
                    }
                }
            }
        }

        void multiplyRow(int row, Matrix left, Matrix right) {
            double[] target = rows[row];
            double[] factors = left.rows[row];
            for (int k = 0; k < SIZE; k++) {
                double factor = factors[k];
                double[] source = right.rows[k];
                for (int i = 0; i < SIZE; i++) {
                    target[i] += factor * source[i];
                }
            }
        }
    }

    /** Hands out blocks of rows. */
    static final class Rows {
        private int next;

        synchronized int take() {
            int first = next;
            next += BLOCK;
            return first;
        }
    }

    private final Matrix left = new Matrix(1);
    private final Matrix right = new Matrix(2);
    private Matrix product;

    private void work(Rows rows) {
        for (int first = rows.take(); first < SIZE; first = rows.take()) {
            for (int row = first; row < Math.min(SIZE, first + BLOCK); row++) {
                product.multiplyRow(row, left, right);
            }
        }
    }

    private long multiply() throws InterruptedException {
        double trace = 0;
        for (int i = 0; i < PRODUCTS; i++) {
            product = new Matrix(0);
            Rows rows = new Rows();
            Thread[] threads = new Thread[THREADS];
            for (int t = 0; t < THREADS; t++) {
                threads[t] = new Thread(() -> work(rows));
                threads[t].start();
            }
            for (Thread thread : threads) {
                thread.join();
            }
            for (int k = 0; k < SIZE; k++) {
                trace += product.rows[k][(k + i) % SIZE];
            }
        }
        return Double.doubleToLongBits(trace);
    }

    public static void main(String[] args) throws Exception {
        Iterations.run(args, new MatrixMultiply()::multiply);
    }
}
