package racewire.rt;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Iterator;

/**
 * The threads' places in clocks. A place is used again by a thread that knows all that its last owner did: to everybody
 * else the two then look like one thread, rightly. Past the last place the longest dead one is taken in any case, and
 * races with what its thread did may be missed. If all are alive, a thread has none: what it does is not looked at, and what
 * it hands over is handed on as what others did ({@link #NOBODY}).
 */
final class Slots {
    /** In place of a slot. A {@link Past} of such a thread is that of all whom it knows, put together. */
    static final int NOBODY = 0;

    private static boolean hasWarned;

    /** How many of the dead are looked at for one new thread. */
    private static final int LOOK_AT = 64;

    private static int used;
    private static final ArrayDeque<Clock> DEAD = new ArrayDeque<>();
    /** By slot: first time and id (in the native library) of each thread that had it. */
    private static long[][] owners = new long[16][];

    private Slots() { }

    /** The clock of a new thread, which knows what {@code start} did; null: its start was not seen. */
    static synchronized Clock take(Past start, int thread) {
        Clock last = start == null ? null : knownBy(start);
        if (last == null && used == Stamps.SLOTS - 1) {
            last = DEAD.poll();
        }
        if (last == null && used == Stamps.SLOTS - 1) {
            warn();
            // Of what is released at time 0 nobody learns: see Clock.enter.
            return new Clock(NOBODY, 2, thread, start);
        }
        int slot = last != null ? last.slot : ++used;
        long time = last != null ? last.time() + 1 : 1;
        own(slot, time, thread);
        return new Clock(slot, time, thread, start);
    }

    private static void warn() {
        if (!hasWarned) {
            hasWarned = true;
            Stderr.line("more than " + used + " threads at a time: what the others do is not looked at");
        }
    }

    private static Clock knownBy(Past start) {
        int left = LOOK_AT;
        for (Iterator<Clock> it = DEAD.iterator(); it.hasNext() && left-- > 0;) {
            Clock dead = it.next();
            if (Past.at(start.full, dead.slot) >= dead.time() && Past.at(start.hard, dead.slot) >= dead.time()) {
                it.remove();
                return dead;
            }
        }
        return null;
    }

    /** Its thread has ended. */
    static synchronized void leave(Clock dead) {
        if (dead.slot != NOBODY) {
            DEAD.add(dead);
        }
    }

    private static void own(int slot, long time, int thread) {
        if (slot >= owners.length) {
            owners = Arrays.copyOf(owners, owners.length * 2);
        }
        long[] before = owners[slot] == null ? Past.NOTHING : owners[slot];
        long[] now = Arrays.copyOf(before, before.length + 2);
        now[before.length] = time;
        now[before.length + 1] = thread;
        owners[slot] = now;
    }

    /** Another id for the thread that has {@code slot} now. */
    static synchronized void rename(int slot, int thread) {
        if (slot != NOBODY) {
            owners[slot][owners[slot].length - 1] = thread;
        }
    }

    /** Who had the slot at that time: an id of the native library. */
    static synchronized int thread(long stamp) {
        long[] all = owners[Stamps.slot(stamp)];
        int at = all.length - 2;
        while (at > 0 && all[at] > Stamps.time(stamp)) {
            at -= 2;
        }
        return (int) all[at + 1];
    }
}
