package store;

/**
 * A shop (002's "Store"): clients order from a stock that a supplier fills up. An order looks at the stock and takes from it
 * in two steps; and the price list is read article by article while the owner changes all prices at once.
 */
public final class Store {
    static final class Stock {
        private int pieces;
        private int sold;

        synchronized int pieces() {
            return pieces;
        }

        synchronized void take(int count) {
            pieces -= count;
            sold += count;
        }

        synchronized void deliver(int count) {
            pieces += count;
        }
    }

    static final class Prices {
        private int bread = 3;
        private int cheese = 5;

        synchronized int bread() {
            return bread; // run views
        }

        synchronized int cheese() {
            return cheese; // run views
        }

        synchronized void raise(int by) {
            bread += by;
            cheese += by;
        }
    }

    static final class Shop {
        private final Stock stock = new Stock();
        private final Prices prices = new Prices();

        /** Two clients may order the last piece. */
        boolean order(int count) {
            if (stock.pieces() >= count) {
                stock.take(count); // violation; expect block-local causal method-consistency; run stale
                return true;
            }
            return false;
        }

        /** Half of the bill at the old prices. */
        int breakfast() {
            int bread = prices.bread();
            int cheese = prices.cheese(); // violation; expect causal method-consistency
            return bread + cheese;
        }
    }

    static final class Client extends Thread {
        private final Shop shop;
        private int spent;

        Client(Shop shop) {
            this.shop = shop;
        }

        @Override
        public void run() {
            for (int i = 0; i < 20; i++) {
                if (shop.order(2)) {
                    spent += shop.breakfast();
                }
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Shop shop = new Shop();
        shop.stock.deliver(30);
        Client first = new Client(shop);
        Client second = new Client(shop);
        Thread owner = new Thread(() -> {
            for (int i = 0; i < 5; i++) {
                shop.prices.raise(1);
                shop.stock.deliver(1);
            }
        });
        first.start();
        second.start();
        owner.start();
        first.join();
        second.join();
        owner.join();
    }
}
