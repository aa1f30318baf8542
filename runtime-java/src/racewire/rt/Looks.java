package racewire.rt;

import java.util.Arrays;

/**
 * What the thread of one slot had looked at, under the locks that it still held, when it came to a place: of what came
 * <em>behind</em> a look {@link Doors} may say that it could come at no other time. Noted where accesses under locks go the
 * slow way, asked when a potential race is about to be told. As long as a place comes behind the same looks, that is one record.
 * Only the slot's thread changes it; others read what is ordered before them. What was forgotten is told.
 *
 * <p>The same in crate {@code racewire-detectors} is module {@code hybrid::doors}.
 */
final class Looks {
    private static final int FIRST = 16;
    /** So many places are known by their latest record, and so many older records. */
    private static final int MAX = 1 << 8;

    private static final long[] NONE = new long[0];

    private static Looks[] bySlot = new Looks[FIRST];

    /** At one place, from one time to another, each time it was come to under locks. */
    private static final class Behind {
        final int site;
        final long from;
        long to;
        final long[] looks;
        /** Of the looks: the same for no others, hardly. */
        final long sum;

        Behind(int site, long from, long[] looks, long sum) {
            this.site = site;
            this.from = from;
            this.to = from;
            this.looks = looks;
            this.sum = sum;
        }

        boolean isOf(int place, long time) {
            return site == place && from <= time && time <= to;
        }
    }

    /** By site. */
    private Behind[] latest = new Behind[FIRST];
    private int collisions;
    private Behind[] older = new Behind[FIRST];
    private int next;
    /** What the records share that come behind the same looks. */
    private long[] looks = NONE;
    private long looksSum;

    private Looks() { }

    /** Slots are used again, and times go on. */
    private static synchronized Looks of(int slot) {
        if (slot >= bySlot.length) {
            bySlot = Arrays.copyOf(bySlot, Math.max(slot + 1, bySlot.length * 2));
        }
        if (bySlot[slot] == null) {
            bySlot[slot] = new Looks();
        }
        return bySlot[slot];
    }

    /** The thread, which holds locks, reads what was {@code written} then, and looks at it. */
    static void look(ThreadState me, Object holder, WordPlace place, long written) {
        long variable = 0;
        for (int at = me.depth; at > 0; at--) {
            HeldLock h = me.levels[at];
            // What it wrote itself since it took the lock it finds in any case.
            boolean isOwn = Stamps.slot(written) == me.clock.slot && Stamps.time(written) >= h.since;
            if (!h.again && !isOwn && h.canLook() && me.code(h) != HeldLock.UNKNOWN) {
                variable = variable != 0 ? variable : Doors.variable(me, holder, place, written);
                h.look(Doors.look(variable, me.code(h)));
            }
        }
        if (me.looks == null) {
            me.looks = of(me.clock.slot);
        }
    }

    /** The thread accesses something at this site. */
    static void came(ThreadState me, int site) {
        if (me.looks != null && me.depth > 0) {
            me.looks.comes(me, site);
        }
    }

    private void comes(ThreadState me, int site) {
        long sum = 0;
        for (int at = me.depth; at > 0; at--) {
            sum += me.levels[at].lookedSum;
        }
        int at = site & latest.length - 1;
        Behind last = latest[at];
        boolean isKnown = last != null && last.site == site;
        if (isKnown && last.sum == sum) {
            last.to = me.clock.time();
        } else if (isKnown || sum != 0) {
            if (last != null) {
                keep(last);
                // Who looks finds it in one of both.
                Mem.M.storeFence();
            }
            latest[at] = sum == 0 ? null : new Behind(site, me.clock.time(), looks(me, sum), sum);
            if (last != null && !isKnown && ++collisions > latest.length && latest.length < MAX) {
                grow();
            }
        }
    }

    private long[] looks(ThreadState me, long sum) {
        if (sum != looksSum) {
            looks = looksOf(me);
            looksSum = sum;
        }
        return looks;
    }

    private static long[] looksOf(ThreadState me) {
        int count = 0;
        for (int at = me.depth; at > 0; at--) {
            count += me.levels[at].lookedCount;
        }
        long[] looks = new long[count];
        for (int at = me.depth; at > 0; at--) {
            HeldLock h = me.levels[at];
            count -= h.lookedCount;
            System.arraycopy(h.looked, 0, looks, count, h.lookedCount);
        }
        return looks;
    }

    private void keep(Behind record) {
        if (next == older.length) {
            if (next < MAX) {
                older = Arrays.copyOf(older, next * 4);
            } else {
                next = 0;
            }
        }
        older[next++] = record;
    }

    private void grow() {
        collisions = 0;
        Behind[] more = new Behind[latest.length * 4];
        for (Behind b : latest) {
            if (b != null) {
                more[b.site & more.length - 1] = b;
            }
        }
        Mem.M.storeFence();
        latest = more;
    }

    /**
     * Whether what was done then at that site, under locks, could not have been done later than what the thread of this clock does
     * now: it came behind a look at something that was overwritten before.
     */
    static boolean keptFirst(Clock later, long stamp, int site) {
        int slot = Stamps.slot(stamp);
        Looks theirs;
        synchronized (Looks.class) {
            theirs = slot < bySlot.length ? bySlot[slot] : null;
        }
        return theirs != null && theirs.areShut(later, site, Stamps.time(stamp));
    }

    /** All records of that moment must say so: a place may have been come to before the look and again behind it. */
    private boolean areShut(Clock later, int site, long time) {
        boolean found = false;
        Behind[] l = latest;
        Behind last = l[site & l.length - 1];
        if (last != null && last.isOf(site, time)) {
            if (!isShut(later, last)) {
                return false;
            }
            found = true;
        }
        Mem.M.loadFence();
        for (Behind b : older) {
            if (b != null && b.isOf(site, time)) {
                if (!isShut(later, b)) {
                    return false;
                }
                found = true;
            }
        }
        return found;
    }

    private static boolean isShut(Clock later, Behind behind) {
        for (long look : behind.looks) {
            if (Doors.isClosed(look, later)) {
                return true;
            }
        }
        return false;
    }
}
