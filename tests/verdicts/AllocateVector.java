package allocatevector;

/**
 * 002's "Allocate Vector" (from IBM's collection of faulty programs): blocks are looked for in one step and taken in
 * another, so two threads may take the same one.
 */
public final class AllocateVector {
    static final class Allocation {
        private final boolean[] taken;
        private int next;

        Allocation(int size) {
            taken = new boolean[size];
        }

        synchronized int findFree() {
            for (int i = 0; i < taken.length; i++) {
                int at = (next + i) % taken.length;
                if (!taken[at]) {
                    next = at + 1;
                    return at;
                }
            }
            return -1;
        }

        synchronized void take(int block) {
            if (taken[block]) {
                throw new IllegalStateException("taken twice");
            }
            taken[block] = true;
        }

        synchronized void free(int block) {
            if (!taken[block]) {
                throw new IllegalStateException("freed twice");
            }
            taken[block] = false;
        }
    }

    static final class User extends Thread {
        private final Allocation blocks;
        private final int[] mine;

        User(Allocation blocks, int wanted) {
            this.blocks = blocks;
            this.mine = new int[wanted];
        }

        @Override
        public void run() {
            try {
                allocate();
                for (int block : mine) {
                    blocks.free(block);
                }
            } catch (IllegalStateException taken) {
                // The fault, when the threads meet.
            }
        }

        private void allocate() {
            for (int i = 0; i < mine.length; i++) {
                int block = blocks.findFree();
                if (block >= 0) {
                    blocks.take(block); // violation; expect causal method-consistency
                }
                mine[i] = block;
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Allocation blocks = new Allocation(100);
        User first = new User(blocks, 20);
        User second = new User(blocks, 20);
        first.start();
        second.start();
        first.join();
        second.join();
    }
}
