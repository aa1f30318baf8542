package racewire.rt;

import java.util.Arrays;

/**
 * What threads had looked at, under the locks that they still held, when they came to a place: of what came <em>behind</em> a
 * look {@link Doors} may say that it could come at no other time. Noted where accesses under locks go the slow way, asked when a
 * potential race is about to be told. As long as a place comes behind the same looks, that is one record ({@link Behind}). What
 * was forgotten is told.
 *
 * <p>The same in crate {@code racewire-detectors} is module {@code hybrid::doors}.
 */
final class Looks {
    /** By slot: slots are used again, and times go on. */
    private static Behind[] bySlot = new Behind[16];

    private Looks() { }

    private static synchronized Behind of(int slot) {
        if (slot >= bySlot.length) {
            bySlot = Arrays.copyOf(bySlot, Math.max(slot + 1, bySlot.length * 2));
        }
        if (bySlot[slot] == null) {
            bySlot[slot] = new Behind();
        }
        return bySlot[slot];
    }

    private static synchronized Behind known(int slot) {
        return slot < bySlot.length ? bySlot[slot] : null;
    }

    /** The thread, which holds locks, reads what was {@code written} then, and looks at it. */
    static void look(ThreadState me, Object holder, WordPlace place, long written) {
        if (canLook(me, written)) {
            look(me, Doors.variable(me, holder, place, written), written);
        }
    }

    /** The same for a volatile or atomic variable. */
    static void look(ThreadState me, SyncVar flag, long written) {
        if (canLook(me, written)) {
            look(me, Doors.variable(flag, written), written);
        }
    }

    private static boolean canLook(ThreadState me, long written) {
        for (int at = me.depth; at > 0; at--) {
            if (isLook(me, me.levels[at], written)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isLook(ThreadState me, HeldLock h, long written) {
        // What it wrote itself since it took the lock it finds in any case.
        boolean isOwn = Stamps.slot(written) == me.clock.slot && Stamps.time(written) >= h.since;
        return !h.again && !isOwn && h.canLook();
    }

    private static void look(ThreadState me, long variable, long written) {
        for (int at = 1; at <= me.depth; at++) {
            HeldLock h = me.levels[at];
            if (isLook(me, h, written) && me.code(h) != HeldLock.UNKNOWN) {
                h.look(Doors.look(variable, me.code(h)));
            }
            h.sumLooked();
        }
    }

    /** The thread accesses something at this site. */
    static void came(ThreadState me, int site) {
        if (OutOfLine.NEVER) {
            OutOfLine.fill(999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999,
                    999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999);
        }
        if (me.depth > 0) {
            if (me.behind == null) {
                me.behind = of(me.clock.slot);
            }
            me.behind.comes(me, site, me.top().allLookedSum);
        }
    }

    /**
     * Whether what was done then at that site, under locks, could not have been done later than what the thread of this clock does
     * now: it came behind a look at something that was overwritten before.
     */
    static boolean keptFirst(Clock later, long stamp, int site) {
        Behind theirs = known(Stamps.slot(stamp));
        return theirs != null && theirs.areShut(later, site, Stamps.time(stamp));
    }
}
