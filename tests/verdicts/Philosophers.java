package philosophers;

/** Dining philosophers (004's and 002's "philo"): a table with forks, waited for until both are free. Nothing is wrong. */
public final class Philosophers extends Thread {
    static final class Table {
        private final boolean[] inUse;
        private int eating;

        Table(int size) {
            inUse = new boolean[size];
        }

        synchronized void takeForks(int seat) throws InterruptedException {
            int right = (seat + 1) % inUse.length;
            while (inUse[seat] || inUse[right]) {
                wait();
            }
            inUse[seat] = true;
            inUse[right] = true;
            eating++;
        }

        synchronized void putForks(int seat) {
            inUse[seat] = false;
            inUse[(seat + 1) % inUse.length] = false;
            eating--;
            notifyAll();
        }
    }

    private final Table table;
    private final int seat;

    Philosophers(Table table, int seat) {
        this.table = table;
        this.seat = seat;
    }

    @Override
    public void run() {
        try {
            for (int i = 0; i < 10; i++) {
                table.takeForks(seat);
                Thread.yield();
                table.putForks(seat);
            }
        } catch (InterruptedException stopped) {
            // Ends.
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Table table = new Table(5);
        Philosophers[] all = new Philosophers[5];
        for (int i = 0; i < all.length; i++) {
            all[i] = new Philosophers(table, i);
            all[i].start();
        }
        for (Philosophers philosopher : all) {
            philosopher.join();
        }
    }
}
