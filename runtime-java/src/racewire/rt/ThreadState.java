package racewire.rt;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What the runtime knows of one thread: its period, the locks it holds, its epochs. Only the thread itself
 * touches it, except before it runs (its parent makes it); {@link Inspect} and {@link Deadlocks} look at the locks.
 */
final class ThreadState extends WeakReference<Thread> {
    /** Held code of the owner of the accessed field, when it is among the held locks: lock id 0. */
    private static final int OWNER_CODE = 0;

    final long tid;

    /** Epoch of an access now, for owners that are not locked; {@link Epochs#NONE} until it is asked for. */
    long epoch = Epochs.NONE;

    /** Stamp of an access now; {@link Stamps#NONE} until there is one. */
    long stamp = Stamps.NONE;
    /** null if happens-before is not looked at. */
    final Clock clock;
    final Encounter met;
    final CommonLocks commonLocks = new CommonLocks();

    /** The thread has had an event of its own: who its parent is can change no more. */
    boolean ran;
    /** The process may end while it runs. */
    boolean isDaemon;
    /** A slow path is under way: an access inside it is the runtime's doing. */
    boolean busy;
    Object waitingFor;
    /** Another number whenever a lock is taken or released: who looks twice and finds the same has seen it stand still. */
    int moves;

    /** The library knows that the thread has ended. */
    boolean buried;

    private int thread;
    private int period;
    /** Where locks are held: places 1 to {@code depth}; place 0 is the ground, where none is. */
    private HeldLock[] levels = {new HeldLock(null), null};
    // A number rather than a reference to the top: a reference store costs a garbage collector barrier.
    private int depth;
    private Memo children;
    final KnownSteps steps = new KnownSteps();
    final Settled settled = new Settled(this);
    final Nesting nesting = new Nesting(this);
    /** What it has read of flows that are followed; null if none is. */
    final StaleReads stale = Stale.isWanted() ? new StaleReads() : null;
    private final RefCache<LockRef> lockCache = new RefCache<>();

    /** {@code thread}: the id in the native library. */
    ThreadState(Thread object, long tid, int thread, ReferenceQueue<Thread> dead, Clock clock) {
        super(object, dead);
        this.tid = tid;
        this.thread = thread;
        this.clock = clock;
        this.met = clock == null ? null : new Encounter(clock);
    }

    /** A new parent, before the thread runs. */
    void reborn(int newThread, Past start) {
        Native.threadDead(thread);
        thread = newThread;
        if (clock != null) {
            Slots.rename(clock.slot, newThread);
            clock.thread = newThread;
            clock.learn(start);
        }
    }

    /** The thread will have no more events. */
    void bury() {
        if (!buried) {
            buried = true;
            tellLast();
            if (clock != null) {
                clock.arrays = null;
                Footprints.forget(tid);
            }
            Native.threadDead(thread);
            if (clock != null) {
                Exits.gone(this);
                Slots.leave(clock);
            }
        }
    }

    /** In the native library. */
    int id() {
        return thread;
    }

    int depth() {
        return depth;
    }

    /** From 1, the first that was taken, to {@link #depth}. */
    HeldLock level(int at) {
        return levels[at];
    }

    HeldLock top() {
        return levels[depth];
    }

    boolean holdsNothing() {
        return depth == 0;
    }

    // ---- the stack of held locks: a bag, as locks may be released in any order

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
        return again != null ? again.hash : System.identityHashCode(monitor);
    }

    /** The monitor that is about to be entered, as another thread may see it; null if none. */
    Object entering() {
        HeldLock[] l = levels;
        int at = depth + 1;
        HeldLock h = at < l.length ? l[at] : null;
        return h == null ? null : h.lock;
    }

    /** The monitor was entered. */
    void entered(Object monitor) {
        HeldLock h = next();
        if (h.lock != monitor) {
            entering(monitor);
        }
        hold(h, false);
    }

    void push(Object lock, int hash, boolean shared) {
        HeldLock h = next();
        h.lock = lock;
        h.hash = hash;
        hold(h, shared);
    }

    private void hold(HeldLock h, boolean shared) {
        if (Order.ON) {
            // With the locks that were held.
            clock.tell();
        }
        h.fill(shared);
        depth++;
        moves++;
        publishEpoch(h.epoch);
        if (Order.ON && !h.again) {
            // Whoever knows thread and time knows the locks.
            clock.advance();
            if (stamp != Stamps.NONE) {
                publishStamp(Stamps.NONE);
            }
            enter(h);
        }
        if (Order.LOCKS && !h.again) {
            LockRef ref = ref(h);
            h.taken = ref != null && ref.isWorthALook() ? new Throwable() : null;
        }
        if (Trace.ON && !h.again && ref(h) != null) {
            Trace.lock(thread, h.ref.id, h.shared, Nesting.takenAt(h));
        }
    }

    /** The place above the top. */
    private HeldLock next() {
        int at = depth + 1;
        HeldLock h = at < levels.length ? levels[at] : null;
        return h != null ? h : grow(at);
    }

    private HeldLock grow(int at) {
        if (at >= levels.length) {
            levels = Arrays.copyOf(levels, at * 2);
        }
        levels[at] = new HeldLock(levels[at - 1]);
        Deadlocks.watch();
        return levels[at];
    }

    /** Releases the latest hold of {@code lock} in this mode; false if there is none. */
    boolean remove(Object lock, boolean shared) {
        for (int at = depth; at > 0; at--) {
            HeldLock h = levels[at];
            if (h.lock == lock && h.shared == shared) {
                if (Trace.ON && !Order.ON && !h.again && ref(h) != null) {
                    Trace.unlock(thread, h.ref.id, shared);
                }
                if (Sections.ON && !h.again) {
                    sections.ended(h);
                }
                for (; at < depth; at++) {
                    levels[at].takeFrom(levels[at + 1]);
                }
                levels[depth].taken = null;
                levels[depth--].lock = null;
                moves++;
                publishEpoch(levels[depth].epoch);
                return true;
            }
        }
        return false;
    }

    /** The lock was taken: what was done before it was last released is ordered before now. */
    private void enter(HeldLock h) {
        LockRef ref = ref(h);
        if (ref == null) {
            return;
        }
        LockPast lock = ref.past();
        clock.enter(lock);
        if (!h.shared && lock.readers != null) {
            clock.enterAfter(lock.readers);
            lock.readers = null;
        }
    }

    /** The lock is about to be released, for good if it is held once. */
    void leave(Object lock, boolean shared) {
        HeldLock h = latest(lock, shared);
        LockRef ref = h == null || h.again ? null : ref(h);
        if (ref == null) {
            return;
        }
        if (Trace.ON) {
            Trace.unlock(thread, ref.id, shared);
        }
        if (shared) {
            Past mine = past();
            LockPast readers = ref.past();
            synchronized (readers) {
                readers.readers = mine.and(readers.readers);
            }
        } else {
            clock.leave(ref.past());
            publishStamp(Stamps.NONE);
        }
    }

    private HeldLock latest(Object lock, boolean shared) {
        for (int at = depth; at > 0; at--) {
            if (levels[at].lock == lock && levels[at].shared == shared) {
                return levels[at];
            }
        }
        return null;
    }

    // ---- critical sections, for high-level data races

    private final Sections sections = Sections.ON ? new Sections(this) : null;

    /** What is accessed now is part of a critical section: no fast path. */
    boolean isLookedInto() {
        return Sections.ON && depth > 0;
    }

    /** A field is accessed at this site. */
    void touch(int site) {
        for (int at = depth; at > 0; at--) {
            if (!levels[at].again) {
                levels[at].touch(site);
            }
        }
    }

    /** The thread has seen what others did under the locks that it holds: their order was no chance. */
    void relyOnLocks() {
        for (HeldLock h = top(); h.lock != null; h = h.below) {
            LockRef ref = h.reliedOn ? null : ref(h);
            if (ref != null) {
                clock.rely(ref.past());
                h.reliedOn = true;
            }
        }
    }

    // ---- time, for happens-before

    /** The moment for others to learn of, in a release; what comes next is later. */
    Past past() {
        Past now = clock.past();
        publishStamp(Stamps.NONE);
        return now;
    }

    /** The stamp of an access now. */
    long stampNow() {
        clock.mark();
        long now = clock.stamp();
        if (stamp != now) {
            publishStamp(now);
        }
        return now;
    }

    private void publishStamp(long now) {
        stamp = Counts.ON || isLookedInto() ? Stamps.NONE : now;
        ThreadTable.publishStamp(this, stamp);
    }

    /** Of what several threads read. */
    final LatestReads reads = new LatestReads();

    /** For counting, while nothing is published: whether a stamp would have been another one than this moment's. */
    boolean isNews(long other) {
        return ((other ^ clock.stamp()) & Stamps.WHO_AND_WHEN) != 0
                && (other >= 0 || !hasRead(other, clock.stamp()));
    }

    private long marks;

    /** For {@link Readers}, different from all others: the thread's slot and a number of its own. */
    long nextMark() {
        return Stamps.SHARED | (long) clock.slot << Stamps.MARK_BITS | ++marks & (1L << Stamps.MARK_BITS) - 1;
    }

    /** Whether this thread is among the readers with this mark, as of now. */
    boolean hasRead(long mark) {
        return hasRead(mark, stamp);
    }

    private boolean hasRead(long mark, long moment) {
        SharedRead read = reads.get(mark);
        return read != null && read.isOf(moment);
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

    // ---- epochs

    /** Called after a thread was started: what follows is a new period. */
    void nextPeriod() {
        if (Order.ON) {
            // Starts are hand-overs like others there.
            return;
        }
        period++;
        for (HeldLock h = top(); h != null; h = h.below) {
            h.forgetEpochs();
        }
        // It held for the period.
        settled.unsettle();
        publishEpoch(0);
    }

    /**
     * To the fast path of this thread: the epoch of an access now, 0 if it is not computed. With happens-before it needs
     * no epochs, see {@link #locksFor}.
     */
    private void publishEpoch(long now) {
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

    /** The {@link LockSets locks} of an access to {@code owner}, with happens-before. */
    int locksFor(Object owner) {
        if (epoch == Epochs.NONE) {
            publish(LockSets.word(LockSets.few(this, null)));
        }
        int few = LockSets.few(this, owner);
        return few != LockSets.UNKNOWN ? few : LockSets.ofEpoch(epochFor(owner));
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
            children = new Memo(8, 4096);
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
        LockRef known = lockCache.get(lock, hash);
        return known != null ? known : lockCache.put(hash, LockTable.of(lock, hash));
    }

    private final RefCache<SyncRef> syncs = new RefCache<>();

    /** What the runtime keeps for {@code o}. */
    SyncRef sync(Object o) {
        int hash = System.identityHashCode(o);
        SyncRef known = syncs.get(o, hash);
        return known != null ? known : syncs.put(hash, SyncTable.of(o, hash));
    }

    /** What is known of {@code o}, if this thread met it lately; else null. */
    SyncRef latelyMet(Object o) {
        return syncs.get(o, System.identityHashCode(o));
    }

    /** What a call is about to access by name or handle. */
    final Reached reached = new Reached();

    /** Locks of containers that calls under way hold; see {@link Locks#enter}. */
    final List<Object> guards = new ArrayList<>();

    /** Optimistic reads under way; null until there was one. */
    List<Optimistic.Section> optimistic;

    /** The index of the access to an element that goes the slow way. */
    int element;

    /** An access to an element that {@link Footprints#note} does not know; true if its class has to register first. */
    boolean element(Object array, int index, int site, Class<?> user, boolean write) {
        ArrayAccesses mine = arrays();
        if ((write ? mine.writes : mine.reads).noteElsewhere(array, index, site, user)) {
            return false;
        }
        element = index;
        Sites sites = user == null ? null : Sites.of(user);
        if (sites == null) {
            return true;
        }
        Hooks.access(sites, array, site);
        return false;
    }

    /** What the thread does to arrays from now on. */
    ArrayAccesses arrays() {
        if (clock.arrays == null) {
            clock.arrays = new ArrayAccesses(this, clock);
        }
        return clock.arrays;
    }

    /**
     * Whether a read of elements may be told of later: it is no observation that might show that the order of critical
     * sections is no chance, see {@link #relyOnLocks}.
     */
    boolean observesNothing() {
        return !Order.HYBRID || depth == 0 || clock.isSure();
    }

    /** What the thread, which goes on, has done by now. */
    void tellAside() {
        ArrayAccesses done = clock.arrays;
        if (done != null) {
            done.tellAside();
        }
    }

    /** What the thread, which has ended, did last. */
    synchronized void tellLast() {
        if (clock != null) {
            clock.tell();
        }
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
}
