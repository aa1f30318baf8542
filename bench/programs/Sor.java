import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/**
 * Successive over-relaxation of a grid, red points then black points, two threads that meet at a barrier between the
 * half-steps. The work is in arrays.
 */
public final class Sor {
    private static final int SIZE = 700;
    private static final int STEPS = 1_200;
    private static final int THREADS = 2;
    private static final double OMEGA = 1.25;

    private double[][] grid;
    private CyclicBarrier barrier;

    private void relax(int firstRow, int endRow) throws InterruptedException, BrokenBarrierException {
        for (int step = 0; step < 2 * STEPS; step++) {
            for (int row = firstRow; row < endRow; row++) {
                relaxRow(row, 1 + (row + step & 1));
            }
            barrier.await();
        }
    }

    private void relaxRow(int row, int firstColumn) {
        double[] above = grid[row - 1];
        double[] here = grid[row];
        double[] below = grid[row + 1];
        for (int i = firstColumn; i < SIZE - 1; i += 2) {
            double around = above[i] + below[i] + here[i - 1] + here[i + 1];
            here[i] = OMEGA * 0.25 * around + (1 - OMEGA) * here[i];
        }
    }

    private long solve() throws InterruptedException {
        grid = new double[SIZE][SIZE];
        for (int i = 0; i < SIZE; i++) {
            grid[0][i] = 100;
            grid[i][0] = i % 50;
        }
        barrier = new CyclicBarrier(THREADS);
        Thread[] threads = new Thread[THREADS];
        int rows = (SIZE - 2) / THREADS;
        for (int t = 0; t < THREADS; t++) {
            int first = 1 + t * rows;
            int end = t == THREADS - 1 ? SIZE - 1 : first + rows;
            threads[t] =
                    new Thread(
                            () -> {
                                try {
                                    relax(first, end);
                                } catch (InterruptedException | BrokenBarrierException e) {
                                    throw new IllegalStateException(e);
                                }
                            });
            threads[t].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        double sum = 0;
        for (double[] row : grid) {
            for (double value : row) {
                sum += value;
            }
        }
        return Double.doubleToLongBits(sum);
    }

    public static void main(String[] args) throws Exception {
        Iterations.run(args, new Sor()::solve);
    }
}
