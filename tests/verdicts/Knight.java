package knight;

/**
 * 002's "Knight" (from Teixeira et al.): threads walk over a chess board and keep for each square the least number of
 * moves that a knight needs. The best number so far is read in one step and replaced in another.
 */
public final class Knight {
    private static final int SIZE = 5;
    private static final int[][] MOVES = {{1, 2}, {2, 1}, {-1, 2}, {-2, 1}, {1, -2}, {2, -1}, {-1, -2}, {-2, -1}};

    static final class Board {
        private final int[] best = new int[SIZE * SIZE];

        Board() {
            java.util.Arrays.fill(best, Integer.MAX_VALUE);
        }

        synchronized int best(int square) {
            return best[square];
        }

        synchronized void improve(int square, int moves) {
            best[square] = moves;
        }
    }

    static final class Walker extends Thread {
        private final Board board;
        private final int dx;
        private final int dy;

        Walker(Board board, int[] move) {
            this.board = board;
            dx = move[0];
            dy = move[1];
        }

        @Override
        public void run() {
            walk(dx, dy, 1);
        }

        private void walk(int x, int y, int moves) {
            if (x < 0 || y < 0 || x >= SIZE || y >= SIZE || moves > 5) {
                return;
            }
            if (moves < board.best(x * SIZE + y)) {
                board.improve(x * SIZE + y, moves); // violation; expect block-local causal method-consistency
                for (int[] move : MOVES) {
                    walk(x + move[0], y + move[1], moves + 1);
                }
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Board board = new Board();
        Walker[] walkers = new Walker[MOVES.length];
        for (int i = 0; i < walkers.length; i++) {
            walkers[i] = new Walker(board, MOVES[i]);
            walkers[i].start();
        }
        for (Walker walker : walkers) {
            walker.join();
        }
    }
}
