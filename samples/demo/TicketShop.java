import java.util.Map;

// A ticket shop with three clerks. The seats are well protected; the sales counter and the price list are not.
// output varies
public class TicketShop {
    private static final int CUSTOMERS_PER_CLERK = 20_000;

    private final Seats seats = new Seats(3 * CUSTOMERS_PER_CLERK);
    private final PriceList priceList = new PriceList();
    private int sold;

    /** A clerk's shift. */
    private void serve() {
        long takings = 0;
        for (int customer = 0; customer < CUSTOMERS_PER_CLERK; customer++) {
            if (customer == CUSTOMERS_PER_CLERK / 2) {
                priceList.refresh();
            }
            int seat = seats.take();
            takings += priceList.of(seat % 2 == 0 ? "stalls" : "balcony");
            sold++; // expect race: sold
        }
        String clerk = Thread.currentThread().getName();
        System.out.println(clerk + " took in " + takings + "; the shop has counted " + sold + " tickets"); // expect race: sold
    }

    public static void main(String[] args) throws InterruptedException {
        TicketShop shop = new TicketShop();
        Thread[] clerks = new Thread[3];
        for (int i = 0; i < clerks.length; i++) {
            clerks[i] = new Thread(shop::serve, "clerk-" + (i + 1));
            clerks[i].start();
        }
        for (Thread clerk : clerks) {
            clerk.join();
        }
        System.out.println(shop.seats.taken() + " seats are taken");
    }

    /** The seats of the house: every access under the lock of the object. */
    static class Seats {
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

    /** Prices, loaded when first needed: by whichever clerk comes first, or by several, seen by the others or not. */
    static class PriceList {
        private Map<String, Integer> prices;

        int of(String category) {
            if (prices == null) { // expect race: prices
                prices = load(); // expect race: prices
            }
            return prices.get(category); // expect race: prices
        }

        void refresh() {
            prices = load(); // expect race: prices
        }

        private static Map<String, Integer> load() {
            return Map.of("stalls", 40, "balcony", 25);
        }
    }
}
