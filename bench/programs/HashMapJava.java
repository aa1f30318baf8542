import java.util.SplittableRandom;

/** A hash map with chained entry objects that grows, under puts, gets and removes; it counts words, one thread. */
public final class HashMapJava {
    private static final int WORDS = 60_000;
    private static final int OPERATIONS = 8_000_000;

    static final class Entry {
        final int hash;
        final String key;
        long count;
        Entry next;

        Entry(int hash, String key, Entry next) {
            this.hash = hash;
            this.key = key;
            this.next = next;
        }
    }

    static final class Counts {
        private Entry[] table = new Entry[16];
        private int size;
        private int changes;

        private static int spread(String key) {
            int hash = key.hashCode();
            return hash ^ hash >>> 15;
        }

        Entry get(String key) {
            int hash = spread(key);
            Entry entry = table[hash & table.length - 1];
            while (entry != null && (entry.hash != hash || !entry.key.equals(key))) {
                entry = entry.next;
            }
            return entry;
        }

        void add(String key, long by) {
            Entry entry = get(key);
            if (entry == null) {
                if (size > table.length * 3 / 4) {
                    grow();
                }
                int hash = spread(key);
                int slot = hash & table.length - 1;
                entry = new Entry(hash, key, table[slot]);
                table[slot] = entry;
                size++;
                changes++;
            }
            entry.count += by;
        }

        boolean remove(String key) {
            int hash = spread(key);
            int slot = hash & table.length - 1;
            Entry before = null;
            for (Entry entry = table[slot]; entry != null; entry = entry.next) {
                if (entry.hash == hash && entry.key.equals(key)) {
                    if (before == null) {
                        table[slot] = entry.next;
                    } else {
                        before.next = entry.next;
                    }
                    size--;
                    changes++;
                    return true;
                }
                before = entry;
            }
            return false;
        }

        private void grow() {
            Entry[] old = table;
            table = new Entry[old.length * 2];
            for (Entry chain : old) {
                Entry entry = chain;
                while (entry != null) {
                    Entry next = entry.next;
                    int slot = entry.hash & table.length - 1;
                    entry.next = table[slot];
                    table[slot] = entry;
                    entry = next;
                }
            }
        }

        long fingerprint() {
            long sum = size * 31L + changes;
            for (Entry chain : table) {
                for (Entry entry = chain; entry != null; entry = entry.next) {
                    sum += entry.count * (entry.hash | 1);
                }
            }
            return sum;
        }
    }

    private final String[] words = new String[WORDS];
    private Counts counts;

    private HashMapJava() {
        for (int i = 0; i < WORDS; i++) {
            words[i] = "word-" + Integer.toString(i * 7919, 36);
        }
    }

    private long use() {
        counts = new Counts();
        SplittableRandom random = new SplittableRandom(3);
        long found = 0;
        for (int i = 0; i < OPERATIONS; i++) {
            // The product of two draws prefers small numbers, as the words of a text do.
            int rank = (int) ((long) random.nextInt(WORDS) * random.nextInt(WORDS) / WORDS);
            String word = words[rank];
            switch (i & 7) {
                case 0, 1, 2 -> counts.add(word, i & 15);
                case 3 -> found += counts.remove(word) ? 1 : 0;
                default -> {
                    Entry entry = counts.get(word);
                    found += entry == null ? 0 : entry.count;
                }
            }
        }
        return found * 31 + counts.fingerprint();
    }

    public static void main(String[] args) throws Exception {
        Iterations.run(args, new HashMapJava()::use);
    }
}
