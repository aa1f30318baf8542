// The paper's "roller": 7 passengers compete for the 7 seats of 1 coaster. RACER reports rideNo, and is wrong.
class RollerCoaster extends Thread {
    static final int SEATS = 7;
    static final int RIDES = 30;

    private int seated;
    private boolean riding;
    private int rideNo;

    RollerCoaster() {
        super("coaster");
    }

    @Override
    public void run() {
        try {
            // Not marked, but the reason of the false alarm: the coaster reads its own field without the lock.
            // Nobody else ever writes rideNo, so the coaster knows its value; but no lock is held at all
            // accesses, and that is all that a lock set can say.
            while (rideNo < RIDES) {
                load();
                unload();
            }
        } catch (InterruptedException e) {
            interrupt();
        }
    }

    private synchronized void load() throws InterruptedException {
        while (seated < SEATS) {
            wait();
        }
        riding = true;
    }

    private synchronized void unload() {
        rideNo++; // expect race: rideNo
        riding = false;
        seated = 0;
        notifyAll();
    }

    /** One passenger's ride; false when the coaster has closed. */
    synchronized boolean ride() throws InterruptedException {
        while (riding || seated == SEATS) {
            wait();
        }
        int before = ridesSoFar();
        if (before == RIDES) {
            return false;
        }
        seated++;
        notifyAll();
        while (ridesSoFar() == before) {
            wait();
        }
        return true;
    }

    /** Called by passengers, with the lock held. */
    private int ridesSoFar() {
        return rideNo; // expect race: rideNo
    }

    public static void main(String[] args) throws InterruptedException {
        RollerCoaster coaster = new RollerCoaster();
        Passenger[] passengers = new Passenger[SEATS];
        coaster.start();
        for (int i = 0; i < passengers.length; i++) {
            passengers[i] = new Passenger(coaster, i + 1);
            passengers[i].start();
        }
        coaster.join();
        int rides = 0;
        for (Passenger passenger : passengers) {
            passenger.join();
            rides += passenger.rides();
        }
        System.out.println(RIDES + " rides with " + rides + " passengers");
    }
}
