package racewire.rt;

import java.util.Arrays;

/** Ordinals of the sites that access containers, given out as they are met: no field says how many there are. */
final class StateOrdinals {
    /** Above all that have a bit in the word. */
    private static final int FIRST = Epochs.OVERFLOW_ORDINAL + 1;

    private static volatile int[] ordinals = new int[64];
    private static int next = FIRST;

    private StateOrdinals() { }

    /** Of the site with this id; when there are too many, the last share one. */
    static int of(int id) {
        int[] all = ordinals;
        int known = id < all.length ? all[id] : 0;
        return known != 0 ? known : add(id);
    }

    private static synchronized int add(int id) {
        int[] all = ordinals;
        if (id < all.length && all[id] != 0) {
            return all[id];
        }
        all = Arrays.copyOf(all, Math.max(all.length, id + 1 + id / 2));
        all[id] = next < Epochs.SHARED_ORDINAL ? next++ : Epochs.SHARED_ORDINAL;
        ordinals = all;
        return all[id];
    }
}
