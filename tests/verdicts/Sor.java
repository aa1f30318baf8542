package sor;

/** Successive over-relaxation (004's "sor"): threads work on rows of a grid, step by step, with a barrier in between. */
public final class Sor {
    static final class Barrier {
        private final int parties;
        private int waiting;
        private int round;

        Barrier(int parties) {
            this.parties = parties;
        }

        synchronized void await() throws InterruptedException {
            int mine = round;
            waiting++;
            if (waiting == parties) {
                waiting = 0;
                round++;
                notifyAll();
            } else {
                while (mine == round) {
                    wait();
                }
            }
        }
    }

    static final class Worker extends Thread {
        private final double[][] grid;
        private final Barrier barrier;
        private final int from;
        private final int to;

        Worker(double[][] grid, Barrier barrier, int from, int to) {
            this.grid = grid;
            this.barrier = barrier;
            this.from = from;
            this.to = to;
        }

        @Override
        public void run() {
            try {
                for (int step = 0; step < 10; step++) {
                    relax(step % 2);
                    barrier.await();
                }
            } catch (InterruptedException stopped) {
                // Ends.
            }
        }

        private void relax(int colour) {
            for (int i = from; i < to; i++) {
                for (int j = 1 + (i + colour) % 2; j < grid.length - 1; j += 2) {
                    double around = grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1];
                    grid[i][j] = 0.3 * around - 0.2 * grid[i][j];
                }
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        double[][] grid = new double[20][20];
        grid[5][5] = 1;
        Barrier barrier = new Barrier(2);
        Worker first = new Worker(grid, barrier, 1, 10);
        Worker second = new Worker(grid, barrier, 10, 19);
        first.start();
        second.start();
        first.join();
        second.join();
    }
}
