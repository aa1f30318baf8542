package racewire.rt;

/**
 * What a thread had done and knew when it released something: a moment that others may come to know. Immutable.
 * The arrays are by slot, and never written once they are shared.
 */
class Past {
    static final long[] NOTHING = new long[0];

    /** Whose moment it is; 0 if it is that of several threads, put together. */
    final int slot;
    final long time;
    /** How far the others were known, by every order there is. */
    final long[] full;
    /** The same without "unlocked before it was locked again", which may be chance. */
    final long[] hard;
    /** The {@link LockSets locks} that it held; of several threads, those that all of them held if they held the same. */
    final int locks;

    Past(int slot, long time, long[] full, long[] hard, int locks) {
        this.slot = slot;
        this.time = time;
        this.full = full;
        this.hard = hard;
        this.locks = locks;
    }

    /** Its number in the trace. */
    long moment() {
        return 0;
    }

    /** Both. */
    final Past and(Past other) {
        if (other == null || knows(other)) {
            return this;
        }
        if (other.knows(this)) {
            return other;
        }
        long[] bothFull = merged(full, other.full, this, other);
        long[] bothHard = merged(hard, other.hard, this, other);
        int both = locks == other.locks ? locks : LockSets.NONE;
        return Trace.ON ? new Moment(0, 0, bothFull, bothHard, both, Trace.merge(this, other))
                : new Past(0, 0, bothFull, bothHard, both);
    }

    /** Whether what that thread did at that time came before. */
    boolean knows(int who, long when) {
        return who == slot ? when <= time : at(full, who) >= when;
    }

    /** The same without the orders that may be chance. */
    boolean knowsSurely(int who, long when) {
        return who == slot ? when <= time : at(hard, who) >= when;
    }

    private boolean knows(Past other) {
        if (slot == 0) {
            return false;
        }
        if (other.slot == 0) {
            // Whoever has acquired it before: an atomic update, for one.
            return at(other.full, slot) <= time && at(other.hard, slot) <= time
                    && coversBut(slot, full, other.full) && coversBut(slot, hard, other.hard);
        }
        return other.slot == slot ? other.time <= time
                : at(full, other.slot) >= other.time && at(hard, other.slot) >= other.time;
    }

    private static long[] merged(long[] a, long[] b, Past one, Past other) {
        return joined(joined(a, b, other.slot, other.time), NOTHING, one.slot, one.time);
    }

    static long at(long[] clock, int slot) {
        return slot < clock.length ? clock[slot] : 0;
    }

    /** Whether {@code a} is nowhere behind {@code b}. */
    static boolean covers(long[] a, long[] b) {
        return coversBut(-1, a, b);
    }

    /** The same without looking at one slot. */
    private static boolean coversBut(int slot, long[] a, long[] b) {
        if (a == b) {
            return true;
        }
        for (int i = 0; i < b.length; i++) {
            if (at(a, i) < b[i] && i != slot) {
                return false;
            }
        }
        return true;
    }

    /** The later of both everywhere, and at {@code slot} no earlier than {@code time}; a new array if need be. */
    static long[] joined(long[] a, long[] b, int slot, long time) {
        long[] result = a;
        if (!covers(a, b)) {
            result = new long[Math.max(a.length, b.length)];
            for (int i = 0; i < result.length; i++) {
                result[i] = Math.max(at(a, i), at(b, i));
            }
        }
        if (at(result, slot) < time) {
            if (result == a) {
                result = java.util.Arrays.copyOf(a, Math.max(a.length, slot + 1));
            } else if (slot >= result.length) {
                result = java.util.Arrays.copyOf(result, slot + 1);
            }
            result[slot] = time;
        }
        return result;
    }
}
