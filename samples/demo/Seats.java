/** The seats of the house: every access under the lock of the object. */
class Seats {
    private final int all;
    private int taken;

    Seats(int all) {
        this.all = all;
    }

    /** The number of a seat that nobody else gets. */
    synchronized int take() {
        if (taken == all) {
            throw new IllegalStateException("sold out");
        }
        return taken++;
    }

    synchronized int taken() {
        return taken;
    }
}
