package plugins;

/** Two threads sell; whoever looks at the till may forget its lock. */
public class Shop {
    static final Object DOOR = new Object();

    /** Guarded by the monitor of its own till. */
    static class Till {
        int total;

        synchronized void sell(int price) {
            total += price;
        }

        int peek() {
            return total; // forgets
        }
    }

    /** Guarded by one lock for all. */
    static int customers;
    /** Always under its lock. */
    static int visitors;

    static void enter(boolean carefully) {
        if (carefully) {
            synchronized (DOOR) {
                customers++;
                visitors++;
            }
        } else {
            customers = 0; // forgets
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Till[] tills = {new Till(), new Till()};
        Runnable selling = () -> {
            for (int i = 0; i < 20; i++) {
                tills[i % 2].sell(i);
                enter(true);
            }
        };
        Thread first = new Thread(selling, "first");
        Thread second = new Thread(selling, "second");
        first.start();
        second.start();
        first.join();
        second.join();
        int sum = tills[0].peek() + tills[1].peek();
        enter(false);
        System.out.println("sold for " + sum);
    }
}
