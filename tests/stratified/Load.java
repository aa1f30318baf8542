package load;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Threads that make the runtime do all it does, at once: it is the runtime that is looked at here, not the program. */
public class Load {
    static class Account {
        long balance;
        int bookings;

        synchronized void book(int amount) {
            balance += amount;
            bookings++;
        }
    }

    static int unprotected;
    static volatile int published;
    static final Object ONE = new Object();
    static final Object OTHER = new Object();

    final Account[] accounts = new Account[16];
    final int[] counts = new int[256];
    final Map<String, Integer> map = new HashMap<>();
    final Map<Integer, Account> table = new ConcurrentHashMap<>();
    final ReentrantLock lock = new ReentrantLock();
    final ReentrantReadWriteLock readWrite = new ReentrantReadWriteLock();
    final LinkedBlockingQueue<int[]> queue = new LinkedBlockingQueue<>();
    final AtomicLong atomic = new AtomicLong();
    int shared;

    Load() {
        for (int i = 0; i < accounts.length; i++) {
            accounts[i] = new Account();
            table.put(i, accounts[i]);
        }
    }

    void work(int number, int rounds) throws InterruptedException {
        List<Account> own = new ArrayList<>();
        for (int i = 0; i < rounds; i++) {
            accounts[(i + number) % accounts.length].book(i);
            table.get(i % accounts.length).book(-i);
            own.add(new Account());
            own.get(own.size() - 1).book(i);
            unprotected++;
            published = i;
            lock.lock();
            try {
                shared++;
                map.put("k" + i % 50, i);
                for (int k = 0; k < counts.length; k++) {
                    counts[k] += i;
                }
            } finally {
                lock.unlock();
            }
            readWrite.readLock().lock();
            try {
                if (table.size() < published - rounds) {
                    unprotected--;
                }
            } finally {
                readWrite.readLock().unlock();
            }
            Object outer = number % 2 == 0 ? ONE : OTHER;
            Object inner = i % 2 == 0 ? ONE : new Object();
            if (outer == ONE || inner != ONE) {
                synchronized (outer) {
                    synchronized (inner) {
                        atomic.incrementAndGet();
                    }
                }
            }
            queue.put(new int[] {i, number});
            int[] taken = queue.poll(10, TimeUnit.SECONDS);
            taken[0]++;
            if (i % 32 == 0) {
                Thread helper = new Thread(() -> own.get(0).book(1), "helper");
                helper.start();
                helper.join();
            }
        }
    }

    public static void main(String[] args) throws Exception {
        int rounds = Integer.parseInt(args[0]);
        Load load = new Load();
        ExecutorService pool = Executors.newFixedThreadPool(4);
        CountDownLatch start = new CountDownLatch(1);
        List<Future<?>> all = new ArrayList<>();
        for (int n = 0; n < 8; n++) {
            int number = n;
            all.add(pool.submit(() -> {
                start.await();
                load.work(number, rounds);
                return null;
            }));
        }
        start.countDown();
        for (Future<?> one : all) {
            one.get();
        }
        pool.shutdown();
        System.out.println("worked " + load.atomic.get());
    }
}
