package racewire.rt;

/** A set of numbers, private to a thread. It begins with nothing, and forgets all when it has become too large. */
final class LongSet {
    private static final int FIRST = 64;

    private final int most;
    /** 0: nothing there. */
    private long[] places = new long[0];
    private int count;

    /** {@code most}: a power of two. */
    LongSet(int most) {
        this.most = most;
    }

    /** Whether it is new. */
    boolean add(long number) {
        if (count * 2 >= places.length) {
            grow();
        }
        long wanted = number == 0 ? 1 : number;
        int at = find(places, wanted);
        if (places[at] == wanted) {
            return false;
        }
        places[at] = wanted;
        count++;
        return true;
    }

    private void grow() {
        long[] old = places;
        boolean isFull = old.length >= most;
        places = new long[isFull ? FIRST : Math.max(FIRST, old.length * 2)];
        count = isFull ? 0 : count;
        for (int i = 0; i < old.length && !isFull; i++) {
            if (old[i] != 0) {
                places[find(places, old[i])] = old[i];
            }
        }
    }

    private static int find(long[] places, long wanted) {
        int at = (int) (wanted * 0x9E3779B97F4A7C15L >>> 40) & places.length - 1;
        while (places[at] != 0 && places[at] != wanted) {
            at = at + 1 & places.length - 1;
        }
        return at;
    }
}
