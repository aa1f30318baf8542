/** Counts primes with a segmented sieve, one thread; the bits live in an array inside an object. */
public final class Sieve {
    private static final int LIMIT = 120_000_000;
    private static final int SEGMENT = 1 << 18;

    static final class Bits {
        private final long[] words;

        Bits(int size) {
            words = new long[(size + 63) / 64];
        }

        void set(int i) {
            words[i >> 6] |= 1L << i;
        }

        void clear() {
            java.util.Arrays.fill(words, 0);
        }

        boolean get(int i) {
            return (words[i >> 6] & 1L << i) != 0;
        }
    }

    /** A prime and the next multiple of it to strike out. */
    static final class Striker {
        final int prime;
        long next;

        Striker(int prime) {
            this.prime = prime;
            next = (long) prime * prime;
        }

        void strike(Bits bits, long from, long to) {
            long multiple = next;
            for (; multiple < to; multiple += 2L * prime) {
                bits.set((int) (multiple - from >> 1));
            }
            next = multiple;
        }
    }

    private Bits bits;
    private Striker[] strikers;
    private int count;

    /** Odd primes up to the root of the limit. */
    private void prepare() {
        int root = (int) Math.sqrt(LIMIT) + 1;
        Bits small = new Bits(root + 1);
        strikers = new Striker[root];
        count = 0;
        for (int i = 3; i <= root; i += 2) {
            if (!small.get(i)) {
                strikers[count++] = new Striker(i);
                for (long k = (long) i * i; k <= root; k += 2L * i) {
                    small.set((int) k);
                }
            }
        }
    }

    private long primes() {
        prepare();
        bits = new Bits(SEGMENT);
        long found = 1;
        long sum = 2;
        for (long from = 3; from < LIMIT; from += 2L * SEGMENT) {
            long to = Math.min(LIMIT, from + 2L * SEGMENT);
            bits.clear();
            for (int i = 0; i < count; i++) {
                strikers[i].strike(bits, from, to);
            }
            for (long n = from; n < to; n += 2) {
                if (!bits.get((int) (n - from >> 1))) {
                    found++;
                    sum += n;
                }
            }
        }
        return found * 1_000_003 + sum;
    }

    public static void main(String[] args) throws Exception {
        Iterations.run(args, new Sieve()::primes);
    }
}
