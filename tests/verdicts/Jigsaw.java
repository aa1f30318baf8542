package jigsaw;

import java.util.HashMap;
import java.util.Map;

/**
 * Paper 004, program 5 (002's "Jigsaw"): a store that was closed and emptied gets new entries, when the shut-down comes
 * between the check and the look-up. No value flows from one to the other, only the decision to go on.
 */
public final class Jigsaw {
    static final class Entry {
        final String name;
        private int loads;

        Entry(String name) {
            this.name = name;
        }

        synchronized int load() {
            return ++loads;
        }
    }

    static final class StoreManager {
        private boolean closed;
        private Map<String, Entry> entries = new HashMap<>();

        synchronized void checkClosed() {
            if (closed) { // run views
                throw new IllegalStateException("closed");
            }
        }

        int loadStore(String name) {
            checkClosed();
            Entry entry = lookUp(name); // violation; expect causal method-consistency; plain method-consistency
            return entry.load();
        }

        synchronized Entry lookUp(String name) {
            Entry entry = entries.get(name); // run views
            if (entry == null) {
                entry = new Entry(name);
                entries.put(name, entry);
            }
            return entry;
        }

        synchronized void shutdown() {
            entries = new HashMap<>();
            closed = true;
        }
    }

    static final class Client extends Thread {
        private final StoreManager manager;

        Client(StoreManager manager) {
            this.manager = manager;
        }

        @Override
        public void run() {
            try {
                for (int i = 0; i < 10; i++) {
                    manager.loadStore("store" + i);
                }
            } catch (IllegalStateException closed) {
                // Too late.
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        StoreManager manager = new StoreManager();
        Client first = new Client(manager);
        Client second = new Client(manager);
        first.start();
        second.start();
        manager.shutdown();
        first.join();
        second.join();
    }
}
