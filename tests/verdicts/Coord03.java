package coord03;

/**
 * 002's "Coord03" (Artho, Havelund and Biere, "High-level data races"): a pair that is set and read as one by two threads; a
 * third needs only x, which is fine; a fourth reads x and y one after the other.
 */
public final class Coord03 {
    static final class Coord {
        private double x;
        private double y;

        synchronized void set(double x, double y) {
            this.x = x;
            this.y = y;
        }

        synchronized double[] get() {
            return new double[] {x, y};
        }

        synchronized double getX() {
            return x; // run views
        }

        synchronized double getY() {
            return y; // run views
        }
    }

    static final class Setter extends Thread {
        private final Coord coord;

        Setter(Coord coord) {
            this.coord = coord;
        }

        @Override
        public void run() {
            for (int i = 0; i < 100; i++) {
                coord.set(i, -i);
            }
        }
    }

    static final class Getter extends Thread {
        private final Coord coord;
        private double sum;

        Getter(Coord coord) {
            this.coord = coord;
        }

        @Override
        public void run() {
            for (int i = 0; i < 100; i++) {
                double[] both = coord.get();
                sum += both[0] + both[1];
            }
        }
    }

    /** Only x: a part of the pair, always alone. */
    static final class Column extends Thread {
        private final Coord coord;
        private double largest;

        Column(Coord coord) {
            this.coord = coord;
        }

        @Override
        public void run() {
            for (int i = 0; i < 100; i++) {
                largest = Math.max(largest, coord.getX());
            }
        }
    }

    static final class Distance extends Thread {
        private final Coord coord;
        private double distance;

        Distance(Coord coord) {
            this.coord = coord;
        }

        @Override
        public void run() {
            for (int i = 0; i < 100; i++) {
                measure();
            }
        }

        private void measure() {
            double x = coord.getX();
            double y = coord.getY(); // violation; expect causal method-consistency
            distance = Math.sqrt(x * x + y * y);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Coord coord = new Coord();
        Thread[] all = {new Setter(coord), new Getter(coord), new Column(coord), new Distance(coord)};
        for (Thread thread : all) {
            thread.start();
        }
        for (Thread thread : all) {
            thread.join();
        }
    }
}
