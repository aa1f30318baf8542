package racewire.rt;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Arrays;

/**
 * The locks that a thread holds: a stack that is a bag, as they may be released in any order. Only the thread itself
 * changes it; {@link Inspect} and {@link Deadlocks} look at it.
 */
abstract class HeldLocks extends WeakReference<Thread> {
    /** Another number whenever a lock is taken or released: who looks twice and finds the same has seen it stand still. */
    int moves;

    /** Where locks are held: places 1 to {@code depth}; place 0 is the ground, where none is. */
    HeldLock[] levels = {new HeldLock(null), null};
    /** Place 1, where most locks are held: a load nearer. Null until there is one. */
    private HeldLock first;
    // A number rather than a reference to the top: a reference store costs a garbage collector barrier.
    int depth;
    /** Entries of locks are there as long as the locks are: to know more of them costs a thread no more than the list. */
    private final RefCache<LockRef> lockCache = new RefCache<>(1 << 12);

    HeldLocks(Thread object, ReferenceQueue<Thread> dead) {
        super(object, dead);
    }

    void clearCaches() {
        lockCache.clear();
    }

    /** See {@link IdentityRef#letGo}. */
    void letGo() {
        lockCache.letGo();
    }

    int depth() {
        return depth;
    }

    /** From 1, the first that was taken, to {@link #depth}. */
    HeldLock level(int at) {
        return levels[at];
    }

    HeldLock top() {
        return depth == 1 ? first : levels[depth];
    }

    boolean holdsNothing() {
        return depth == 0;
    }

    /** The monitor that is about to be entered; its hash must be taken now. */
    void entering(Object monitor) {
        HeldLock h = next();
        h.lock = monitor;
        h.hash = hash(monitor, h);
    }

    /** The JDK is slow to tell the hash of an object whose monitor is held or has been fought for: avoids asking. */
    private int hash(Object monitor, HeldLock h) {
        LockRef last = h.ref;
        if (last != null && last.get() == monitor) {
            return last.hash;
        }
        HeldLock again = held(monitor);
        return again != null ? again.hash : hash(monitor);
    }

    /** The same of a monitor that may have been met before. */
    static int hash(Object monitor) {
        LockRef kept = LockPlace.peek(monitor);
        return kept != null ? kept.hash : System.identityHashCode(monitor);
    }

    /** The monitor that is about to be entered, as another thread may see it; null if none. */
    Object entering() {
        HeldLock[] l = levels;
        int at = depth + 1;
        HeldLock h = at < l.length ? l[at] : null;
        return h == null ? null : h.lock;
    }

    /** The place above the top. */
    HeldLock next() {
        int at = depth + 1;
        HeldLock h = at == 1 ? first : at < levels.length ? levels[at] : null;
        return h != null ? h : grow(at);
    }

    HeldLock grow(int at) {
        if (at >= levels.length) {
            levels = Arrays.copyOf(levels, at * 2);
        }
        levels[at] = new HeldLock(levels[at - 1]);
        if (at == 1) {
            first = levels[at];
        }
        Background.begin();
        return levels[at];
    }

    HeldLock latest(Object lock, boolean shared) {
        for (int at = depth; at > 0; at--) {
            if (levels[at].lock == lock && levels[at].shared == shared) {
                return levels[at];
            }
        }
        return null;
    }

    /** Where {@code owner}'s own monitor is held; null if it is not. */
    HeldLock held(Object owner) {
        for (int at = depth; at > 0; at--) {
            if (levels[at].lock == owner) {
                return levels[at];
            }
        }
        return null;
    }

    /** How often {@code lock} is held in this mode. */
    int count(Object lock, boolean shared) {
        int n = 0;
        for (HeldLock h = top(); h.lock != null; h = h.below) {
            if (h.lock == lock && h.shared == shared) {
                n++;
            }
        }
        return n;
    }

    // ---- in the table of locks

    int code(HeldLock h) {
        return h.code != HeldLock.UNKNOWN || ref(h) != null ? h.code : HeldLock.UNKNOWN;
    }

    /** The lock's entry in the table; null if the library has no id for it. */
    LockRef ref(HeldLock h) {
        if (h.code == HeldLock.UNKNOWN) {
            LockRef ref = lockRef(h.lock, h.hash);
            if (ref == null) {
                Monitoring.checkTrouble();
                return null;
            }
            h.ref = ref;
            h.code = ref.id << 1 | (h.shared ? 1 : 0);
        }
        return h.ref;
    }

    private LockRef lockRef(Object lock, int hash) {
        LockRef kept = LockPlace.peek(lock);
        return kept != null ? kept : findLock(lock, hash);
    }

    private LockRef findLock(Object lock, int hash) {
        LockRef known = lockCache.get(lock, hash);
        if (known == null) {
            known = lockCache.put(hash, LockTable.of(lock, hash));
            LockPlace.keep(lock, known);
        }
        return known;
    }
}
