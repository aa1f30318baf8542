package racewire.rt;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/**
 * What the runtime knows of one thread: its period, the locks it holds, its epochs. Only the thread itself
 * touches it, except before it runs (its parent makes it) and for {@link #waitingFor} (read by {@link Inspect}).
 */
final class ThreadState extends WeakReference<Thread> {
    /** Held code of the owner of the accessed field, when it is among the held locks: lock id 0. */
    private static final int OWNER_CODE = 0;

    final long tid;

    /** Epoch of an access now, for owners that are not locked; {@link Epochs#NONE} until it is asked for. */
    long epoch = Epochs.NONE;

    /** The thread has had an event of its own: who its parent is can change no more. */
    boolean ran;
    /** A slow path is under way: an access inside it is the runtime's doing. */
    boolean busy;
    Object waitingFor;

    private int thread;
    private int period;
    private HeldLock top = new HeldLock(null);
    private Memo children;
    private Memo steps;
    private LockRef[] lockCache;
    /** Hash of the monitor about to be entered. */
    int nextHash;

    /** {@code thread}: the id in the native library. */
    ThreadState(Thread object, long tid, int thread, ReferenceQueue<Thread> dead) {
        super(object, dead);
        this.tid = tid;
        this.thread = thread;
    }

    /** A new parent, before the thread runs. */
    void reborn(int newThread) {
        thread = newThread;
    }

    HeldLock top() {
        return top;
    }

    // ---- the stack of held locks: a bag, as locks may be released in any order

    void push(Object lock, int hash, boolean shared) {
        HeldLock h = top.next();
        h.fill(lock, hash, shared);
        top = h;
        epoch = h.epoch != 0 ? h.epoch : Epochs.NONE;
    }

    /** Releases the latest hold of {@code lock} in this mode; false if there is none. */
    boolean remove(Object lock, boolean shared) {
        for (HeldLock h = top; h.lock != null; h = h.below) {
            if (h.lock == lock && h.shared == shared) {
                for (; h != top; h = h.above) {
                    h.takeFrom(h.above);
                }
                top.lock = null;
                top = top.below;
                epoch = top.epoch != 0 ? top.epoch : Epochs.NONE;
                return true;
            }
        }
        return false;
    }

    /** How often {@code lock} is held in this mode. */
    int count(Object lock, boolean shared) {
        int n = 0;
        for (HeldLock h = top; h.lock != null; h = h.below) {
            if (h.lock == lock && h.shared == shared) {
                n++;
            }
        }
        return n;
    }

    // ---- epochs

    /** Called after a thread was started: what follows is a new period. */
    void nextPeriod() {
        period++;
        for (HeldLock h = top; h != null; h = h.below) {
            h.forgetEpochs();
        }
        epoch = Epochs.NONE;
    }

    /** The epoch of all held locks by their ids, 0 if the library has none. */
    long epoch() {
        HeldLock h = top;
        while (h.epoch == 0 && h.below != null) {
            h = h.below;
        }
        if (h.epoch == 0) {
            h.epoch = ask(h, null);
        }
        while (h != top && h.epoch != 0) {
            long below = h.epoch;
            h = h.above;
            if (h.parent != below) {
                h.self = 0;
                h.parent = below;
            }
            h.epoch = h.again ? below : child(below, code(h), h, null);
        }
        epoch = h.epoch != 0 ? h.epoch : Epochs.NONE;
        return h.epoch;
    }

    /** The epoch of an access to a field of {@code owner}: its own monitor counts as {@code OWNER}. */
    long epochFor(Object owner) {
        HeldLock h = top;
        if (h.lock == null || owner == null) {
            return h.epoch != 0 ? h.epoch : epoch();
        }
        if (h.lock == owner && h.self != 0 && !h.again) {
            return h.self;
        }
        HeldLock lowest = null;
        for (; h.lock != null; h = h.below) {
            if (h.lock == owner) {
                lowest = h;
            }
        }
        if (lowest == null) {
            return epoch();
        }
        return selfEpoch(owner, lowest);
    }

    private long selfEpoch(Object owner, HeldLock lowest) {
        HeldLock holder = top;
        top = lowest.below;
        long e = epoch();
        long below = e;
        top = holder;
        epoch = holder.epoch != 0 ? holder.epoch : Epochs.NONE;
        for (HeldLock h = lowest; e != 0; h = h.above) {
            int code = h.lock == owner ? OWNER_CODE | (h.shared ? 1 : 0) : code(h);
            e = child(e, code, h, owner);
            if (h == holder) {
                break;
            }
        }
        if (lowest == holder && e != 0) {
            if (holder.parent != below) {
                holder.epoch = 0;
                epoch = Epochs.NONE;
            }
            holder.parent = below;
            holder.self = e;
        }
        return e;
    }

    private long child(long parent, int code, HeldLock upTo, Object owner) {
        if (code == HeldLock.UNKNOWN) {
            return 0;
        }
        if (children == null) {
            children = new Memo(8, 512);
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
        int id = Native.epoch(thread, period, held, n);
        if (id == 0) {
            Monitoring.checkTrouble();
            return 0;
        }
        return Epochs.value(id);
    }

    private int code(HeldLock h) {
        if (h.code == HeldLock.UNKNOWN) {
            LockRef ref = lockRef(h.lock, h.hash);
            if (ref == null) {
                Monitoring.checkTrouble();
                return HeldLock.UNKNOWN;
            }
            h.ref = ref;
            h.code = ref.id << 1 | (h.shared ? 1 : 0);
        }
        return h.code;
    }

    private LockRef lockRef(Object lock, int hash) {
        if (lockCache == null) {
            lockCache = new LockRef[16];
        }
        int at = hash & lockCache.length - 1;
        LockRef ref = lockCache[at];
        if (ref == null || ref.get() != lock) {
            ref = LockTable.of(lock, hash);
            lockCache[at] = ref;
        }
        return ref;
    }

    // ---- steps of the detector that this thread has seen before

    long knownStep(long word, long key) {
        return steps == null ? Memo.MISS : steps.get(word, key);
    }

    void rememberStep(long word, long key, long result) {
        if (steps == null) {
            steps = new Memo(16, 1024);
        }
        steps.put(word, key, result);
    }
}
