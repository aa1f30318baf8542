package racewire.rt;

/**
 * Who closes a door: one critical section looks at a flag and then accesses something, a later one of the same lock sets the
 * flag, and what follows that uses the same thing without the lock. The other way round the first would have found the flag set:
 * for what came behind the look the order of the two is no chance, and no potential race ({@link Looks}). That is so if the
 * flag had its old value before the one who sets it came, whatever the schedule: otherwise somebody may open the door again.
 * Values are not known: who writes what was there before closes the door, too.
 *
 * <p>A look is a number made of lock, variable and the stamp of its last write. Of many doors the oldest are forgotten.
 */
final class Doors {
    private static final int PLACES = 1 << 14;

    /** Bytes per place: who closed it, and when (a stamp), and {@link #CHECK}. */
    private static final int STRIDE = 16;
    /** The look and the stamp in one: threads that come at once may lose a door, and make none of two halves. */
    private static final int CHECK = 8;

    /** Outside the heap; 0 until the first one is closed. */
    private static volatile long closed;

    private Doors() { }

    private static synchronized long makeClosed() {
        if (closed == 0) {
            closed = Mem.table(PLACES * STRIDE / 8);
        }
        return closed;
    }

    /** A volatile or atomic variable as of its last write. */
    static long variable(SyncVar flag, long written) {
        return mixed(mixed((long) System.identityHashCode(flag) << 32) + written) | 1;
    }

    /** A variable as of its last write. */
    static long variable(ThreadState me, Object holder, WordPlace place, long written) {
        // The JDK is slow to tell the hash of what is locked.
        HeldLock h = me.held(holder);
        int hash = holder instanceof ContainerState ? ((ContainerState) holder).hash
                : h != null ? h.hash : System.identityHashCode(holder);
        return mixed(mixed((long) hash << 32 ^ place.reads) + written) | 1;
    }

    /** The same looked at under this lock ({@link HeldLock#code}, in whatever mode). */
    static long look(long variable, int lock) {
        return mixed(variable + (lock >>> 1));
    }

    private static long mixed(long x) {
        long once = (x ^ x >>> 31) * 0x9E3779B97F4A7C15L;
        long twice = (once ^ once >>> 29) * 0xD6E8FEB86659FD93L;
        return twice ^ twice >>> 32;
    }

    /** The thread, which holds locks, overwrites what others have read, and was written then. */
    static void close(ThreadState me, Object holder, WordPlace place, long written) {
        if (wasThere(me, written)) {
            close(me, variable(me, holder, place, written), me.clock.stamp());
        }
    }

    /** The same for a volatile or atomic variable; {@code stamp}: of who learns of the write. */
    static void close(ThreadState me, SyncVar flag, long written, long stamp) {
        if (wasThere(me, written)) {
            close(me, variable(flag, written), stamp);
        }
    }

    private static boolean wasThere(ThreadState me, long written) {
        return written == 0 || me.clock.knowsSurely(Stamps.slot(written), Stamps.time(written));
    }

    private static void close(ThreadState me, long variable, long stamp) {
        long all = closed != 0 ? closed : makeClosed();
        for (int at = me.depth; at > 0; at--) {
            HeldLock h = me.levels[at];
            if (!h.again && !h.shared && me.code(h) != HeldLock.UNKNOWN) {
                long look = look(variable, me.code(h));
                long place = all + place(look);
                Mem.M.putLong(null, place, stamp);
                Mem.M.putLong(null, place + CHECK, look ^ mixed(stamp));
            }
        }
    }

    private static int place(long look) {
        return ((int) look & PLACES - 1) * STRIDE;
    }

    /** Whether what was looked at had been overwritten before the thread of this clock came, whatever the schedule. */
    static boolean isClosed(long look, Clock later) {
        long all = closed;
        long place = all + place(look);
        long stamp = all == 0 ? 0 : Mem.M.getLong(null, place);
        return stamp != 0 && Mem.M.getLong(null, place + CHECK) == (look ^ mixed(stamp))
                && later.knowsSurely(Stamps.slot(stamp), Stamps.time(stamp));
    }
}
