import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The tools of java.util.concurrent over the program's own objects: two workers process orders in tasks, stock is
 * guarded by explicit locks, customers live in a concurrent map, a latch closes the day. The executor itself is JDK
 * code and not woven.
 */
public final class JucMix {
    private static final int WORKERS = 2;
    private static final int PRODUCTS = 128;
    private static final int CUSTOMERS = 2_000;
    private static final int TASKS = 1_500;
    private static final int ORDERS = 3_600;

    static final class Product {
        private final ReentrantLock lock = new ReentrantLock();
        private long stock;
        private long sold;

        void sell(int pieces) {
            lock.lock();
            try {
                stock -= pieces;
                sold += pieces;
                if (stock < 0) {
                    stock += 1000;
                }
            } finally {
                lock.unlock();
            }
        }

        /** Refills make the stock depend on nothing but the pieces sold, modulo the size of a delivery. */
        long fingerprint() {
            lock.lock();
            try {
                return sold * 31 + stock;
            } finally {
                lock.unlock();
            }
        }
    }

    static final class Customer {
        private long spent;
        private int orders;

        synchronized void order(long price) {
            spent += price;
            orders++;
        }

        synchronized long fingerprint() {
            return spent * 31 + orders;
        }
    }

    /** What a task finds out; read by the thread that asks the future for it. */
    static final class Result {
        private long turnover;
        private int orders;
        private int largest;

        void add(int pieces, long price) {
            turnover += price;
            orders++;
            largest = Math.max(largest, pieces);
        }
    }

    private final ExecutorService workers = Executors.newFixedThreadPool(WORKERS);
    private Product[] products;
    private ConcurrentHashMap<Integer, Customer> customers;
    private AtomicLong pieces;

    private Result task(int number, CountDownLatch latch) {
        Result result = new Result();
        int state = number * 0x9E3779B9 + 1;
        for (int i = 0; i < ORDERS; i++) {
            state = state * 1664525 + 1013904223;
            int ordered = 1 + (state >>> 16) % 9;
            int product = (state >>> 20) % PRODUCTS;
            int customer = (state >>> 8) % CUSTOMERS;
            products[product].sell(ordered);
            long price = ordered * (10L + product);
            customers.computeIfAbsent(customer, c -> new Customer()).order(price);
            pieces.addAndGet(ordered);
            result.add(ordered, price);
        }
        latch.countDown();
        return result;
    }

    private long day() throws Exception {
        products = new Product[PRODUCTS];
        for (int i = 0; i < PRODUCTS; i++) {
            products[i] = new Product();
        }
        customers = new ConcurrentHashMap<>();
        pieces = new AtomicLong();
        CountDownLatch latch = new CountDownLatch(TASKS);
        List<Future<Result>> results = new ArrayList<>();
        for (int i = 0; i < TASKS; i++) {
            int number = i;
            results.add(workers.submit(() -> task(number, latch)));
        }
        latch.await();
        long sum = pieces.get();
        for (Future<Result> future : results) {
            Result result = future.get();
            sum = sum * 31 + result.turnover * 7 + result.orders + result.largest;
        }
        for (Product product : products) {
            sum = sum * 31 + product.fingerprint();
        }
        for (int i = 0; i < CUSTOMERS; i++) {
            Customer customer = customers.get(i);
            sum = sum * 31 + (customer == null ? 0 : customer.fingerprint());
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        JucMix mix = new JucMix();
        Iterations.run(args, mix::day);
        mix.workers.shutdown();
    }
}
