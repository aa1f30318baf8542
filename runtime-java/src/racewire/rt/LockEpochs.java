package racewire.rt;

import java.lang.ref.ReferenceQueue;

/**
 * The epochs of a thread: numbers of the native library for its period and the locks that it holds, kept for each depth
 * of its stack of locks.
 */
abstract class LockEpochs extends HeldLocks {
    /** Held code of the owner of the accessed field, when it is among the held locks: lock id 0. */
    private static final int OWNER_CODE = 0;

    final long tid;

    /** Epoch of an access now, for owners that are not locked; {@link Epochs#NONE} until it is asked for. */
    long epoch = Epochs.NONE;

    /** The thread's id in the native library. */
    int thread;
    private int period;
    private Memo children;
    /** A bank with 4,096 accounts has 12,000 sets of two locks, if the owner of what is accessed goes without a name. */
    private static final int MOST_CHILDREN = 1 << 14;

    LockEpochs(Thread object, long tid, int thread, ReferenceQueue<Thread> dead) {
        super(object, dead);
        this.tid = tid;
        this.thread = thread;
    }

    /** In the native library. */
    int id() {
        return thread;
    }

    /**
     * What is accessed now is part of a critical section that the lock-set machine cannot tell from the last one: no fast
     * path. With happens-before every section has a time of its own: the first access to a variable in it goes the slow
     * way, and those that repeat it add nothing.
     */
    boolean isLookedInto() {
        return Sections.ON && !Order.ON && depth > 0;
    }

    /** Whether these, of a key, are the locks of an access to {@code owner} now; no if it takes longer to tell. */
    boolean areLocksFor(Object owner, long locks) {
        return depth == 0 || top().lock != owner ? depth <= 1 && Epochs.areOf(locks, epoch) : isOwn(locks);
    }

    private boolean isOwn(long locks) {
        return locks == Epochs.OWN_LOCK && !top().shared;
    }

    /** Called after a thread was started: what follows is a new period. */
    void nextPeriod() {
        period++;
        for (HeldLock h = top(); h != null; h = h.below) {
            h.forgetEpochs();
        }
        publishEpoch(0);
    }

    /**
     * To the fast path of this thread: the epoch of an access now, 0 if it is not computed. With happens-before it needs
     * no epochs, see {@link #locksFor}.
     */
    void publishEpoch(long now) {
        if (!Order.ON) {
            publish(now);
        } else if (epoch != Epochs.NONE) {
            publish(0);
        }
    }

    private void publish(long now) {
        long e = now == 0 || Counts.ON || isLookedInto() ? Epochs.NONE : now;
        epoch = e;
        ThreadTable.publish(this, e);
    }

    /** What {@link #locks} gives, as of so many {@link #moves}; and if that are few, which. */
    private int locks = LockSets.NONE;
    private int few = LockSets.NONE;
    private int locksAsOf;

    /** The {@link LockSets locks} of an access to {@code owner}, with happens-before. */
    int locksFor(Object owner) {
        HeldLock its = depth == 0 || owner == null ? null : held(owner);
        if (its != null) {
            // First: which locks these are by their ids is no question then, and with two of them it is a slow one.
            return locksOfOwner(its, owner);
        }
        int all = locks();
        if (epoch == Epochs.NONE && few != LockSets.UNKNOWN) {
            publish(LockSets.word(few));
        }
        return all;
    }

    /** The {@link LockSets locks} that are held, whatever is accessed. */
    final int locks() {
        if (locksAsOf != moves) {
            few = LockSets.few(this, null);
            locks = few != LockSets.UNKNOWN ? few : LockSets.ofEpoch(epochAt(depth));
            locksAsOf = moves;
        }
        return locks;
    }

    /** Its own monitor is held. */
    private int locksOfOwner(HeldLock its, Object owner) {
        if (its.ownLocksAsOf != moves) {
            int set = LockSets.few(this, owner);
            its.ownLocks = set != LockSets.UNKNOWN ? set : LockSets.ofEpoch(epochFor(owner));
            its.ownLocksAsOf = moves;
        }
        return its.ownLocks;
    }

    /** The epoch of all held locks by their ids, 0 if the library has none. */
    long epoch() {
        long e = epochAt(depth);
        publishEpoch(e);
        return e;
    }

    /** The epoch of the locks up to this depth; computes those below it that are missing. */
    private long epochAt(int wanted) {
        int at = wanted;
        while (at > 0 && levels[at].epoch == 0) {
            at--;
        }
        if (levels[at].epoch == 0) {
            levels[at].epoch = ask(levels[at], null);
        }
        long e = levels[at].epoch;
        while (at < wanted && e != 0) {
            HeldLock h = levels[++at];
            if (h.parent != e) {
                h.self = 0;
                h.parent = e;
            }
            e = h.again ? e : child(e, code(h), h, null);
            h.epoch = e;
        }
        return e;
    }

    /** The epoch of an access to a field of {@code owner}: its own monitor counts as {@code OWNER}. */
    long epochFor(Object owner) {
        HeldLock top = top();
        if (depth == 0 || owner == null) {
            return top.epoch != 0 ? top.epoch : epoch();
        }
        if (top.lock == owner && top.self != 0) {
            return top.self;
        }
        int lowest = 0;
        for (int at = depth; at > 0; at--) {
            if (levels[at].lock == owner) {
                lowest = at;
            }
        }
        return lowest == 0 ? epoch() : selfEpoch(owner, lowest);
    }

    private long selfEpoch(Object owner, int lowest) {
        long below = epochAt(lowest - 1);
        long e = below;
        for (int at = lowest; at <= depth && e != 0; at++) {
            HeldLock h = levels[at];
            if (!h.again) {
                e = child(e, h.lock == owner ? OWNER_CODE | (h.shared ? 1 : 0) : code(h), h, owner);
            }
        }
        if (lowest == depth && e != 0) {
            HeldLock top = top();
            if (top.parent != below) {
                top.epoch = 0;
                publishEpoch(0);
            }
            top.parent = below;
            top.self = e;
        } else if (top().lock == owner) {
            // Held again: the same set. Nothing else at this depth inherits it, its parent being 0.
            top().self = e;
        }
        return e;
    }

    private long child(long parent, int code, HeldLock upTo, Object owner) {
        if (code == HeldLock.UNKNOWN) {
            return 0;
        }
        if (children == null) {
            children = new Memo(8, MOST_CHILDREN);
        }
        long known = children.get(parent, code + 1L);
        if (known == Memo.MISS) {
            known = ask(upTo, owner);
            if (known != 0) {
                children.put(parent, code + 1L, known);
            }
        }
        return known;
    }

    private long ask(HeldLock upTo, Object owner) {
        int n = 0;
        for (HeldLock h = upTo; h.lock != null; h = h.below) {
            n++;
        }
        int[] held = new int[n];
        int at = 0;
        for (HeldLock h = upTo; h.lock != null; h = h.below) {
            held[at++] = h.lock == owner ? OWNER_CODE | (h.shared ? 1 : 0) : code(h);
        }
        if (Counts.ON) {
            Counts.NATIVE.increment();
        }
        int id = Native.epoch(thread, period, held, n);
        if (id == 0) {
            Monitoring.checkTrouble();
            return 0;
        }
        return Epochs.value(id);
    }
}
