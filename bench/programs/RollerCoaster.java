/**
 * Seven passengers and one coaster with three seats: monitors, {@code wait} and {@code notifyAll}. The coaster waits
 * until its seats are taken, runs over the track (a small simulation), lets everybody off and opens again. Who rides
 * how often depends on the scheduler; the number of rides and what they add up to does not.
 */
public final class RollerCoaster {
    private static final int PASSENGERS = 7;
    private static final int SEATS = 3;
    private static final int RIDES = 6_000;
    private static final int TRACK_STEPS = 900;

    /** The platform: every field is guarded by its monitor. */
    static final class Platform {
        private int boarded;
        private int leaving;
        private boolean open;
        private boolean closed;
        private int ride;

        /** Waits for a seat; the number of the ride, or -1 once the park has closed. */
        synchronized int board() throws InterruptedException {
            while (!closed && (!open || boarded == SEATS)) {
                wait();
            }
            if (closed) {
                return -1;
            }
            boarded++;
            if (boarded == SEATS) {
                notifyAll();
            }
            return ride;
        }

        synchronized void getOff(int boardedRide) throws InterruptedException {
            while (leaving == 0 || ride != boardedRide) {
                wait();
            }
            leaving--;
            if (leaving == 0) {
                notifyAll();
            }
        }

        synchronized void fill() throws InterruptedException {
            open = true;
            notifyAll();
            while (boarded < SEATS) {
                wait();
            }
            open = false;
        }

        synchronized void empty() throws InterruptedException {
            leaving = SEATS;
            notifyAll();
            while (leaving > 0) {
                wait();
            }
            boarded = 0;
            ride++;
        }

        synchronized void close() {
            closed = true;
            notifyAll();
        }
    }

    /** A train on a track of hills, used by the coaster's thread alone. */
    static final class Train {
        private double position;
        private double speed = 3;
        private double height = 40;
        private long travelled;

        void run(int ride) {
            double slope = 0.01 + ride % 7 * 0.001;
            for (int i = 0; i < TRACK_STEPS; i++) {
                double hill = position - Math.floor(position / 50) * 50 - 25;
                double climb = hill > 0 ? slope : -slope;
                height += climb * speed;
                speed += -climb * 9.81 * 0.02 - speed * 0.0001;
                if (speed < 1) {
                    speed = 1;
                }
                position += speed * 0.02;
            }
            travelled += (long) position;
            position = 0;
        }
    }

    final class Coaster extends Thread {
        @Override
        public void run() {
            try {
                for (int ride = 0; ride < RIDES; ride++) {
                    platform.fill();
                    train.run(ride);
                    platform.empty();
                }
                platform.close();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    final class Passenger extends Thread {
        private long rides;
        private long numbers;

        @Override
        public void run() {
            try {
                for (int ride = platform.board(); ride >= 0; ride = platform.board()) {
                    rides++;
                    numbers += ride;
                    platform.getOff(ride);
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private Platform platform;
    private Train train;

    private long day() throws InterruptedException {
        platform = new Platform();
        train = new Train();
        Coaster coaster = new Coaster();
        Passenger[] passengers = new Passenger[PASSENGERS];
        for (int i = 0; i < PASSENGERS; i++) {
            passengers[i] = new Passenger();
            passengers[i].start();
        }
        coaster.start();
        coaster.join();
        long rides = 0;
        long numbers = 0;
        for (Passenger passenger : passengers) {
            passenger.join();
            rides += passenger.rides;
            numbers += passenger.numbers;
        }
        return (rides * 1_000_003 + numbers) * 1_000_003 + train.travelled;
    }

    public static void main(String[] args) throws Exception {
        Iterations.run(args, new RollerCoaster()::day);
    }
}
