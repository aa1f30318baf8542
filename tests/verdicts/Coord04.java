package coord04;

/** Paper 000, figure 1 (002's "Coord04"): swap() is one step, reset() is two: a swap in between gives (y, 0). */
public final class Coord04 {
    static final class Coord {
        int x = 1;
        int y = 2;
    }

    static final class Screen {
        private final Object lock = new Object();
        private final Coord coord = new Coord();

        void swap() {
            synchronized (lock) {
                int oldX = coord.x;
                coord.x = coord.y;
                coord.y = oldX;
            }
        }

        void reset() {
            synchronized (lock) {
                coord.x = 0; // run views
            }
            synchronized (lock) {
                coord.y = 0; // violation; expect causal method-consistency; run views
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Screen screen = new Screen();
        Thread swaps = new Thread(screen::swap);
        Thread resets = new Thread(screen::reset);
        swaps.start();
        resets.start();
        swaps.join();
        resets.join();
    }
}
