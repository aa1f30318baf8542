package racewire.rt;

import java.util.BitSet;

/**
 * What the places of one slot's thread came behind: records of place, first and last time, and {@link Looks looks}. They lie in
 * plain arrays, which are written over: threads come to millions of places a second, behind ever other looks.
 *
 * <p>Only the slot's thread writes; others read what is ordered before them, and read again if it was changed meanwhile.
 */
final class Behind {
    private static final int FIRST = 32;
    /** So many places are known by their latest record, ... */
    private static final int MAX_PLACES = 1 << 11;
    /** ... and so many older records are kept. */
    private static final int MAX_OLDER = 1 << 8;
    /** So often is read what is changed all the while. */
    private static final int MAX_TRIES = 1 << 10;

    private static final class Records {
        /** All that a time leaves. */
        private static final int LIST_BITS = Long.SIZE - Stamps.TIME_BITS;

        /** Two numbers each: place and sum of the looks ({@link #key}; 0: no record), and the last time. All that is read as a rule. */
        final long[] keysAndTimes;
        /** The first time, and the number of the looks. */
        final long[] origins;

        Records(int count) {
            keysAndTimes = new long[2 * count];
            origins = new long[count];
        }

        static long key(int place, long sum) {
            return (place + 1L) << 32 | (int) sum & 0xFFFFFFFFL;
        }

        static int place(long key) {
            return (int) (key >>> 32) - 1;
        }

        int count() {
            return origins.length;
        }

        /** Where the record of a place is, if there is one. */
        int of(int place) {
            return place & origins.length - 1;
        }

        long key(int at) {
            return keysAndTimes[2 * at];
        }

        long lastTime(int at) {
            return keysAndTimes[2 * at + 1];
        }

        void setLastTime(int at, long time) {
            keysAndTimes[2 * at + 1] = time;
        }

        int list(int at) {
            return (int) origins[at] & (1 << LIST_BITS) - 1;
        }

        void renumber(int[] numbers) {
            for (int at = 0; at < origins.length; at++) {
                origins[at] += numbers[list(at)] - list(at);
            }
        }

        void set(int at, long key, long time, int list) {
            keysAndTimes[2 * at] = key;
            keysAndTimes[2 * at + 1] = time;
            origins[at] = time << LIST_BITS | list;
        }

        void copy(int at, Records to, int there) {
            to.keysAndTimes[2 * there] = keysAndTimes[2 * at];
            to.keysAndTimes[2 * there + 1] = keysAndTimes[2 * at + 1];
            to.origins[there] = origins[at];
        }

        boolean isOf(int at, int place, long time) {
            return key(at) != 0 && place(key(at)) == place && origins[at] >>> LIST_BITS <= time && time <= lastTime(at);
        }

        void addLists(BitSet used) {
            for (int at = 0; at < origins.length; at++) {
                used.set(list(at));
            }
        }
    }

    private Records latest = new Records(FIRST);
    private int collisions;
    private Records older = new Records(FIRST);
    private int next;
    private final LookLists lists = new LookLists();
    /** The list that was made last, of looks of this sum. */
    private int list = LookLists.EMPTY;
    private long listSum;
    /** Odd while something is changed. */
    private int version;

    /**
     * The thread comes to a place, behind looks of this sum, which is the same for no others, hardly. At one time it counts once:
     * the thread may have looked at more since it first came there.
     */
    void comes(ThreadState me, int place, long sum) {
        Records l = latest;
        int at = l.of(place);
        long now = me.clock.time();
        long key = Records.key(place, sum);
        if (l.key(at) == key) {
            l.setLastTime(at, now);
        } else if (l.lastTime(at) != now || Records.place(l.key(at)) != place) {
            change(me, key, sum);
        }
    }

    private void change(ThreadState me, long key, long sum) {
        version++;
        Mem.M.storeFence();
        if (sum != listSum) {
            listSum = sum;
            list = sum == 0 ? LookLists.EMPTY : newList(me);
        }
        Records l = latest;
        int place = Records.place(key);
        int at = l.of(place);
        if (l.key(at) != 0) {
            keep(l, at);
            if (Records.place(l.key(at)) != place && ++collisions > l.count() && l.count() < MAX_PLACES) {
                l = grow(l);
                at = l.of(place);
            }
        }
        l.set(at, key, me.clock.time(), list);
        Mem.M.storeFence();
        version++;
    }

    private int newList(ThreadState me) {
        if (lists.isFull(me)) {
            BitSet used = new BitSet();
            latest.addLists(used);
            older.addLists(used);
            int[] numbers = lists.keep(used);
            latest.renumber(numbers);
            older.renumber(numbers);
        }
        return lists.add(me);
    }

    private void keep(Records from, int at) {
        if (next == older.count()) {
            if (next < MAX_OLDER) {
                Records more = new Records(next * 4);
                for (int i = 0; i < next; i++) {
                    older.copy(i, more, i);
                }
                older = more;
            } else {
                next = 0;
            }
        }
        from.copy(at, older, next++);
    }

    private Records grow(Records few) {
        collisions = 0;
        Records more = new Records(few.count() * 4);
        for (int at = 0; at < few.count(); at++) {
            if (few.key(at) != 0) {
                few.copy(at, more, more.of(Records.place(few.key(at))));
            }
        }
        latest = more;
        return more;
    }

    /** Whether what was done then at that place could not have been done later than what the thread of this clock does now. */
    boolean areShut(Clock later, int place, long time) {
        for (int i = 0; i < MAX_TRIES; i++) {
            int before = version;
            Mem.M.loadFence();
            boolean areShut = (before & 1) == 0 && areShutNow(later, place, time);
            Mem.M.loadFence();
            if ((before & 1) == 0 && before == version) {
                return areShut;
            }
            Thread.yield();
        }
        return false;
    }

    /** All records of that moment must say so. */
    private boolean areShutNow(Clock later, int place, long time) {
        boolean found = false;
        Records l = latest;
        int last = l.of(place);
        if (l.isOf(last, place, time)) {
            if (!lists.isShut(l.list(last), later)) {
                return false;
            }
            found = true;
        }
        Records o = older;
        for (int at = 0; at < o.count(); at++) {
            if (o.isOf(at, place, time)) {
                if (!lists.isShut(o.list(at), later)) {
                    return false;
                }
                found = true;
            }
        }
        return found;
    }
}
