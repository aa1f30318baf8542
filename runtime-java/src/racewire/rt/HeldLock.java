package racewire.rt;

import java.util.Arrays;

/**
 * One place in a thread's stack of held locks, made once per depth and used again: what stands in it when
 * the lock is released serves the next lock at this depth if nothing below has changed.
 */
final class HeldLock {
    /** The lock's id is not known yet: it is asked for when an access first needs it. */
    static final int UNKNOWN = -1;

    private static final int[] NOTHING = new int[0];
    private static final int MAX_TOUCHED = 64;
    private static final long[] NOT_LOOKED = new long[0];
    private static final int MAX_LOOKED = 16;

    final HeldLock below;

    /**
     * The lock's identity (see {@link LockIdentity}); null while nothing is held at this depth. Just above the
     * top: the monitor that the thread is about to enter.
     */
    Object lock;
    /** Its identity hash, taken before a monitor was entered: afterwards it would inflate the monitor. */
    int hash;
    boolean shared;
    /** The same lock, in the same mode, is also held below. */
    boolean again;

    /** Its past has entered the hard order: while it is held, nobody else changes it. */
    boolean reliedOn;

    /** Id and mode as the native library takes them, or {@link #UNKNOWN}. */
    int code = UNKNOWN;
    /** Whose code that is, weakly: an idle stack must keep no lock alive. */
    LockRef ref;

    /** Where it was taken, if that was looked at; null if not. */
    Throwable taken;
    /** The library's number for that, or 0. */
    int takenAt;

    /** For {@link Sections}: the sites that accessed fields while it was held, as long as they are not too many. */
    int[] touched = NOTHING;
    int touchedCount;
    /** The same for every order of these sites, and hardly for any others. */
    long touchedKey;

    /** The thread's time when it was taken, be it in the other mode. */
    long since;

    /** For {@link Doors}: what was looked at while it was held, the first of it, and the sum of that. */
    long[] looked = NOT_LOOKED;
    int lookedCount;
    /** So many of them are in the thread's last list, see {@link LookLists}. */
    int listed;
    long lookedSum;
    /** With that of the locks below. */
    long allLookedSum;

    /** Epoch of this lock and those below, 0 if not computed. */
    long epoch;
    /** The same for an access to the lock object's own fields: it is {@code OWNER} then. */
    long self;
    /** The epoch below, from which both were computed. */
    long parent;

    /** The {@link LockSets} of an access to the lock object's own fields, as of so many moves of its thread. */
    int ownLocks;
    int ownLocksAsOf = -1;

    HeldLock(HeldLock below) {
        this.below = below;
    }

    /** A lock comes to be held here; {@link #lock} and {@link #hash} are set. */
    void fill(boolean newShared) {
        Object newLock = lock;
        forgetLast();
        boolean sameBelow = below.epoch != 0 && below.epoch == parent;
        boolean sameMode = shared == newShared;
        boolean sameLock = ref != null && sameMode && ref.get() == newLock;
        shared = newShared;
        again = below.isHeldHere(newLock, newShared);
        if (!sameLock) {
            ref = null;
            code = UNKNOWN;
        }
        if (!sameBelow || !sameMode) {
            self = 0;
        }
        if (again) {
            // Nothing here was computed for this stack: the next lock at this depth must not inherit it.
            epoch = below.epoch;
            self = below.lock == newLock ? below.self : 0;
            parent = 0;
        } else if (!sameBelow || !sameLock) {
            epoch = 0;
        }
    }

    /** What was done while the last lock was held here. Each store makes the next lock wait: none for what nobody looks at. */
    private void forgetLast() {
        if (Order.ON) {
            reliedOn = false;
        }
        if (Order.LOCKS) {
            taken = null;
            takenAt = 0;
        }
        if (Sections.ON) {
            forgetTouched();
        }
        if (Order.HYBRID) {
            forgetLooked();
        }
    }

    /** Takes over what the place above holds: a lock below it was released first. */
    void takeFrom(HeldLock other) {
        lock = other.lock;
        hash = other.hash;
        shared = other.shared;
        code = other.code;
        ref = other.ref;
        reliedOn = other.reliedOn;
        taken = other.taken;
        takenAt = other.takenAt;
        int[] spare = touched;
        touched = other.touched;
        touchedCount = other.touchedCount;
        touchedKey = other.touchedKey;
        other.touched = spare;
        other.forgetTouched();
        since = other.since;
        long[] unused = looked;
        looked = other.looked;
        lookedCount = other.lookedCount;
        listed = other.listed;
        lookedSum = other.lookedSum;
        other.looked = unused;
        other.forgetLooked();
        sumLooked();
        again = below.isHeldHere(lock, shared);
        forgetEpochs();
    }

    void touch(int site) {
        for (int i = touchedCount - 1; i >= 0; i--) {
            if (touched[i] == site) {
                return;
            }
        }
        if (touchedCount == touched.length) {
            if (touchedCount == MAX_TOUCHED) {
                return;
            }
            touched = Arrays.copyOf(touched, Math.max(8, touchedCount * 2));
        }
        touched[touchedCount++] = site;
        long mixed = (site + 1L) * 0x9E3779B97F4A7C15L;
        touchedKey += mixed ^ mixed >>> 29;
    }

    /** Whether one more look would count. */
    boolean canLook() {
        return lookedCount < MAX_LOOKED;
    }

    void look(long at) {
        for (int i = 0; i < lookedCount; i++) {
            if (looked[i] == at) {
                return;
            }
        }
        if (lookedCount == looked.length) {
            looked = Arrays.copyOf(looked, Math.max(4, lookedCount * 2));
        }
        looked[lookedCount++] = at;
        lookedSum += at;
    }

    void sumLooked() {
        allLookedSum = below.allLookedSum + lookedSum;
    }

    private void forgetLooked() {
        lookedCount = 0;
        listed = 0;
        lookedSum = 0;
        sumLooked();
    }

    /** Whether that one, another lock, is held around this one. */
    boolean isInside(HeldLock other) {
        return other != this && !other.again;
    }

    void forgetTouched() {
        touchedCount = 0;
        touchedKey = 0;
    }

    void forgetEpochs() {
        epoch = 0;
        self = 0;
        parent = 0;
    }

    /** Whether this lock is held at this depth or below. */
    private boolean isHeldHere(Object wanted, boolean mode) {
        for (HeldLock h = this; h.lock != null; h = h.below) {
            if (h.lock == wanted && h.shared == mode) {
                return true;
            }
        }
        return false;
    }
}
