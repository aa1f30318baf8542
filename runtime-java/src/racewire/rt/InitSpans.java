package racewire.rt;

import java.util.Arrays;

/**
 * When which threads were in class initialisers that have ended. Every other thread that uses a class has waited for its
 * initialiser (JLS 12.4.2), so what was done there counts as ordered before whatever others do later.
 */
final class InitSpans {
    /** By slot: pairs of first and last time, in order; an outer initialiser stands for those inside it. */
    private static volatile long[][] spans = new long[16][];

    /** One that has not ended. */
    static final class Begun {
        final Class<?> type;
        final long time;

        Begun(Class<?> type, long time) {
            this.type = type;
            this.time = time;
        }
    }

    private InitSpans() { }

    /** A class initialiser that began at {@code from} ends at {@code to}. */
    static synchronized void add(int slot, long from, long to) {
        long[][] all = spans;
        if (slot >= all.length) {
            all = Arrays.copyOf(all, Math.max(slot + 1, all.length * 2));
        }
        long[] old = all[slot] == null ? Past.NOTHING : all[slot];
        int keep = old.length;
        while (keep > 0 && old[keep - 2] >= from) {
            keep -= 2;
        }
        long[] more = Arrays.copyOf(old, keep + 2);
        more[keep] = from;
        more[keep + 1] = to;
        all[slot] = more;
        spans = all;
    }

    static boolean cover(int slot, long time) {
        long[][] all = spans;
        long[] mine = slot < all.length ? all[slot] : null;
        if (mine == null) {
            return false;
        }
        for (int i = mine.length - 2; i >= 0 && mine[i + 1] >= time; i -= 2) {
            if (mine[i] <= time) {
                return true;
            }
        }
        return false;
    }
}
