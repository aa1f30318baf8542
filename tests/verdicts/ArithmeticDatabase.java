package arithmeticdatabase;

import java.util.HashMap;
import java.util.Map;

/**
 * 002's "Arithmetic Database" (from Teixeira et al.): clients put sums and products into tables, each table with a lock of
 * its own, and let others compute them. Three operations are made of two steps each that should be one.
 */
public final class ArithmeticDatabase {
    static final class Table {
        private final Map<String, Integer> rows = new HashMap<>();
        private int version;

        synchronized Integer get(String key) {
            return rows.get(key);
        }

        synchronized void put(String key, int value) {
            rows.put(key, value);
            version++;
        }

        synchronized int size() {
            return rows.size();
        }

        synchronized int version() {
            return version;
        }
    }

    static final class Sequence {
        private int last;

        synchronized int last() {
            return last;
        }

        synchronized void set(int last) {
            this.last = last;
        }
    }

    static final class Statistics {
        private int computed;
        private int known;

        synchronized void computed() {
            computed++;
        }

        synchronized void known() {
            known++;
        }

        synchronized int total() {
            return computed + known;
        }
    }

    static final class Database {
        private final Table sums = new Table();
        private final Table products = new Table();
        private final Sequence ids = new Sequence();
        private final Statistics statistics = new Statistics();

        /** Two statements may get the same number. */
        int nextId() {
            int id = ids.last() + 1;
            ids.set(id); // violation; expect block-local stale-value causal method-consistency; run stale
            return id;
        }

        /** Two clients may compute the same sum, and the later one overwrites the earlier. */
        int sum(int a, int b) {
            String key = a + "+" + b;
            Integer known = sums.get(key);
            if (known != null) {
                statistics.known();
                return known;
            }
            sums.put(key, a + b); // violation; expect block-local causal method-consistency; run stale
            statistics.computed();
            return a + b;
        }

        /** Adds to what is there; an addition in between is lost. */
        void accumulate(String key, int by) {
            Integer old = products.get(key);
            int value = old == null ? by : old * by;
            products.put(key, value); // violation; expect block-local stale-value causal method-consistency; run stale
        }

        int statements() {
            return statistics.total();
        }
    }

    static final class Client extends Thread {
        private final Database database;
        private final int seed;

        Client(Database database, int seed) {
            this.database = database;
            this.seed = seed;
        }

        @Override
        public void run() {
            for (int i = 0; i < 20; i++) {
                int id = database.nextId();
                int sum = database.sum(seed, i);
                database.accumulate("row" + sum % 3, id);
            }
            database.statements();
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Database database = new Database();
        Client first = new Client(database, 1);
        Client second = new Client(database, 2);
        first.start();
        second.start();
        first.join();
        second.join();
    }
}
