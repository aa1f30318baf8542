class Passenger extends Thread {
    private final RollerCoaster coaster;
    private int rides;

    Passenger(RollerCoaster coaster, int number) {
        super("passenger-" + number);
        this.coaster = coaster;
    }

    @Override
    public void run() {
        try {
            while (coaster.ride()) {
                count();
            }
        } catch (InterruptedException e) {
            interrupt();
        }
    }

    private synchronized void count() {
        rides++;
    }

    synchronized int rides() {
        return rides;
    }
}
