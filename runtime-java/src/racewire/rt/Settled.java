package racewire.rt;

import java.util.Arrays;

/**
 * Accesses of a thread that change nothing, though their word is not of the published epoch: for the lock-set machines,
 * before the slow path. Private to the thread, except for {@link #unsettle}.
 */
final class Settled {
    private static final int FIRST_SETTLED = 256;
    private static final int MAX_SETTLED = 8192;
    private static final long[] NOTHING_SETTLED = new long[1];
    /** Whether a thread is {@link ThreadState#isLookedInto} at times. */
    private static final boolean MAY_BE_LOOKED_INTO = Sections.ON && !Order.ON;

    private final ThreadState me;
    /** Direct-mapped, by {@link Epochs#accessKey}; read-shared data is found here without any shared write. */
    private long[] settled = NOTHING_SETTLED;
    /** In its place while events are counted: then every access must come by. */
    private long[] counted = NOTHING_SETTLED;
    /** How many were put in since it grew last. */
    private int settledSince = 1;

    Settled(ThreadState me) {
        this.me = me;
    }

    /** {@link #knows} for an interned word and no more than one lock, or the owner's own. */
    boolean isSoonTold(long word, int ordinal, Object owner) {
        return !MAY_BE_LOOKED_INTO && isFor(settled(word, ordinal) ^ Epochs.key(word, ordinal), owner);
    }

    private long settled(long word, int ordinal) {
        return settled[settledSlot(settled, word, ordinal)];
    }

    /** Whether a key stands for the locks that are held, which is all that is left of it: see {@link Epochs#accessKey}. */
    private boolean isFor(long locks, Object owner) {
        return locks == Epochs.ALWAYS_LOCKS || me.areLocksFor(owner, locks);
    }

    /** Whether an access of this word changes nothing, though the word is not of the published epoch. */
    boolean knows(long word, int site, Object owner) {
        if (me.isLookedInto()) {
            return false;
        }
        int ordinal = Epochs.ordinal(site);
        if (word >= 0) {
            return !Counts.ON && isOfTopMonitor(word, ordinal, owner);
        }
        // One look for all that may have been settled: the keys differ, their place does not.
        long key = settled(word, ordinal);
        return key != 0 && (key == Epochs.alwaysKey(word, ordinal)
                || !Counts.ON && isSettledWithLocks(key, word, ordinal, owner));
    }

    /** {@code synchronized (this) { this.f }}: the owner's own monitor is held, and the latest. */
    private boolean isOfTopMonitor(long word, int ordinal, Object owner) {
        HeldLock top = me.top();
        return top.lock == owner && top.self != 0 && Epochs.isTouched(word, top.self, ordinal);
    }

    private boolean isSettledWithLocks(long key, long word, int ordinal, Object owner) {
        HeldLock mine = me.holdsNothing() ? null : me.held(owner);
        if (mine == null) {
            return key == Epochs.accessKey(word, Epochs.id(me.epoch), Epochs.EPOCH, ordinal);
        }
        return !mine.shared && key == Epochs.accessKey(word, 0, Epochs.OWNER_HELD, ordinal)
                || mine == me.top() && key == Epochs.accessKey(word, Epochs.id(mine.self), Epochs.EPOCH, ordinal);
    }

    /** An access has changed nothing; {@code result} says whether that holds for more than its epoch. */
    void settle(long word, long now, int ordinal, long result) {
        long key;
        if ((result & Native.ALWAYS) != 0) {
            key = Epochs.accessKey(word, 0, Epochs.ALWAYS, ordinal);
        } else if ((result & Native.OWNER_HELD) != 0) {
            key = Epochs.accessKey(word, 0, Epochs.OWNER_HELD, ordinal);
        } else {
            key = Epochs.accessKey(word, Epochs.id(now), Epochs.EPOCH, ordinal);
        }
        if (key == 0) {
            return;
        }
        long[] s = settling();
        if (++settledSince > s.length && s.length < MAX_SETTLED) {
            settledSince = 0;
            s = new long[Math.max(FIRST_SETTLED, s.length * 4)];
            if (Counts.ON) {
                counted = s;
            } else {
                settled = s;
            }
        }
        s[settledSlot(s, word, ordinal)] = key;
    }

    private long[] settling() {
        return Counts.ON ? counted : settled;
    }

    /** What was settled is settled no more; another thread may say so too, for the sake of stacks it wants. */
    void unsettle() {
        if (settled != NOTHING_SETTLED) {
            Arrays.fill(settled, 0);
        }
    }

    /** For counting, while nothing is published: {@link #knows} with the epoch that would have been. */
    boolean wouldKnow(long word, long now, int ordinal, Object owner) {
        if (word >= 0) {
            return false;
        }
        long key = counted[settledSlot(counted, word, ordinal)];
        return key != 0 && (key == Epochs.alwaysKey(word, ordinal) || isSettledWithLocks(key, word, ordinal, owner)
                || key == Epochs.accessKey(word, Epochs.id(now), Epochs.EPOCH, ordinal));
    }

    private static int settledSlot(long[] cache, long word, int ordinal) {
        // Numbers of states follow each other, as ordinals do: mixed, lest they meet.
        return (int) ((word << 12 | ordinal) * 0x9E3779B97F4A7C15L >>> 40) & cache.length - 1;
    }
}
