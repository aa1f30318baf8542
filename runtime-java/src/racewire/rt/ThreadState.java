package racewire.rt;

import java.lang.ref.ReferenceQueue;
import java.util.ArrayList;
import java.util.List;

/**
 * What the runtime knows of one thread: the locks it holds and its epochs, its time, what it has seen and done. Only the
 * thread itself touches it, except before it runs (its parent makes it).
 */
final class ThreadState extends LockEpochs {
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
    /** The library knows that the thread has ended. */
    boolean buried;

    final KnownSteps steps = new KnownSteps();
    final Settled settled = new Settled(this);
    final Nesting nesting = new Nesting(this);
    /** What it has read of flows that are followed; null if none is. */
    final StaleReads stale = Stale.isWanted() ? new StaleReads() : null;

    /** {@code thread}: the id in the native library. */
    ThreadState(Thread object, long tid, int thread, ReferenceQueue<Thread> dead, Clock clock) {
        super(object, tid, thread, dead);
        this.clock = clock;
        this.met = clock == null ? null : new Encounter(clock);
        // What a thread without a slot does could not be told from what others do.
        busy = clock != null && clock.slot == Slots.NOBODY;
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

    /** The thread will have no more events, as far as others can tell. */
    boolean hasEnded() {
        Thread thread = get();
        return thread == null || ran && !thread.isAlive();
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
            clearCaches();
            Native.threadDead(thread);
            if (clock != null) {
                Exits.gone(this);
                Slots.leave(clock);
            }
        }
    }

    /** A thread may be kept for long after its end, and what it used last with it. */
    @Override
    void clearCaches() {
        super.clearCaches();
        reads.clear();
        syncs.clear();
        states.clear();
    }

    /** A thread that waits for work would keep what it used last. */
    @Override
    void letGo() {
        super.letGo();
        syncs.letGo();
        states.letGo();
        ArrayAccesses done = clock == null ? null : clock.arrays;
        if (done != null) {
            done.letGo();
        }
    }

    // ---- locks

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
            holdInOrder(h);
        }
        if (Order.LOCKS && !h.again) {
            LockRef ref = ref(h);
            h.taken = ref != null && ref.isWorthALook() ? new Throwable() : null;
        }
        if (Trace.ON && !h.again && ref(h) != null) {
            Trace.lock(thread, h.ref.id, h.shared, Nesting.takenAt(h));
        }
    }

    private void holdInOrder(HeldLock h) {
        if (OutOfLine.NEVER) {
            OutOfLine.fill(999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999,
                    999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999);
        }
        // Whoever knows thread and time knows the locks.
        clock.advance();
        if (stamp != Stamps.NONE) {
            publishStamp(Stamps.NONE);
        }
        h.since = since(h);
        enter(h);
    }

    /** Since when the lock that was just taken is held, be it in the other mode. */
    private long since(HeldLock h) {
        for (HeldLock other = h.below; other.lock != null; other = other.below) {
            if (other.lock == h.lock) {
                return other.since;
            }
        }
        return clock.time();
    }

    /** Releases the latest hold of {@code lock} in this mode; false if there is none. */
    boolean remove(Object lock, boolean shared) {
        HeldLock h = top();
        if (h.lock != lock || h.shared != shared) {
            return removeBelow(lock, shared);
        }
        removes(h);
        removeTop(h);
        return true;
    }

    private boolean removeBelow(Object lock, boolean shared) {
        for (int at = depth - 1; at > 0; at--) {
            HeldLock h = levels[at];
            if (h.lock == lock && h.shared == shared) {
                removes(h);
                for (; at < depth; at++) {
                    levels[at].takeFrom(levels[at + 1]);
                }
                removeTop(levels[depth]);
                return true;
            }
        }
        return false;
    }

    private void removes(HeldLock h) {
        if (Trace.ON && !Order.ON && !h.again && ref(h) != null) {
            Trace.unlock(thread, h.ref.id, h.shared);
        }
    }

    private void removeTop(HeldLock h) {
        if (Order.LOCKS) {
            h.taken = null;
        }
        h.lock = null;
        depth--;
        moves++;
        publishEpoch(h.below.epoch);
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
        if (OutOfLine.NEVER) {
            OutOfLine.fill(999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999,
                    999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999);
        }
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
        if (Sections.ON) {
            sections.ended(h);
        }
    }

    // ---- critical sections, for high-level data races

    private final Sections sections = Sections.ON ? new Sections(this) : null;

    /** What {@link #leave} does of it, where nobody looks at happens-before. */
    void endSection(Object lock, boolean shared) {
        HeldLock h = latest(lock, shared);
        if (h != null && !h.again) {
            sections.ended(h);
        }
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

    /**
     * Another thread has handed this over. If it did so under a lock that is held now, its critical section came before this
     * one as a whole: that was no chance. Also if the moment was known already: it may have been learned before the lock
     * was taken, when the other's critical section was perhaps still under way.
     */
    void learn(Past past) {
        clock.learn(past);
        if (depth == 0 || top().reliedOn || past.slot == clock.slot || past.locks == LockSets.NONE
                || past.locks == LockSets.UNKNOWN) {
            return;
        }
        int mine = locks();
        // What is handed over is written, so to say, and what is learned is read.
        if (mine != LockSets.UNKNOWN
                && commonLocks.protect(CommonLocks.of(past.locks, true), CommonLocks.of(mine, false))) {
            relyOnLocks();
            if (Trace.ON) {
                Trace.observe(id());
            }
        }
    }

    /** Called after a thread was started. */
    @Override
    void nextPeriod() {
        // Starts are hand-overs like others with happens-before.
        if (!Order.ON) {
            super.nextPeriod();
            // It held for the period.
            settled.unsettle();
        }
    }

    // ---- time, for happens-before

    /** The moment for others to learn of, in a release; what comes next is later. */
    Past past() {
        int locks = LockSets.NONE;
        if (depth > 0) {
            locks = locks();
            // A time of its own, in the critical section: who knows it knows of the section, see learn.
            clock.mark();
        }
        Past now = clock.past(locks);
        publishStamp(Stamps.NONE);
        return now;
    }

    /** The moment at which a constructor has ended; what comes next is later. */
    Past frozen() {
        Past now = clock.frozen();
        publishStamp(Stamps.NONE);
        return now;
    }

    /** The future that it waits for in a call of the JDK; see {@link Tasks#awaited}. */
    Object awaited;

    /** What it got by races; null until there was something. */
    Heard heard;

    /** What its accesses came behind; null until there was one under a lock. */
    Behind behind;

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

    /** Whether an access with this stamp was this thread's of this very moment, or such are among those that it stands for. */
    boolean isOfNow(long last) {
        return ((last ^ stamp) & Stamps.WHO_AND_WHEN) == 0 || last < 0 && hasRead(last);
    }

    /** Whether this thread is among the readers with this mark, as of now. */
    boolean hasRead(long mark) {
        return hasRead(mark, stamp);
    }

    private boolean hasRead(long mark, long moment) {
        SharedRead read = reads.get(mark);
        return read != null && read.isOf(moment);
    }

    private final RefCache<SyncRef> syncs = new RefCache<>();

    /** What the runtime keeps for {@code o}. */
    SyncRef sync(Object o) {
        int hash = System.identityHashCode(o);
        SyncRef known = syncs.get(o, hash);
        return known != null ? known : syncs.put(hash, SyncTable.of(o, hash));
    }

    private final RefCache<ContainerState> states = new RefCache<>();

    /** The state of a container. */
    ContainerState state(Object container) {
        long place = PatchedContainers.place(container);
        if (place >= 0) {
            return PatchedContainers.state(container, place);
        }
        int hash = System.identityHashCode(container);
        ContainerState known = states.get(container, hash);
        return known != null ? known : states.put(hash, ContainerState.ALL.of(container, hash));
    }

    /** The same if this thread met it lately, else null. */
    ContainerState latelyMet(Object container) {
        long place = PatchedContainers.place(container);
        if (place >= 0) {
            return PatchedContainers.peek(container, place);
        }
        return states.get(container, System.identityHashCode(container));
    }

    /** What a call is about to access by name or handle. */
    final Reached reached = new Reached();

    /** Locks of containers that calls under way hold; see {@link Locks#enter}. */
    final List<Object> guards = new ArrayList<>();

    /** Optimistic reads under way; null until there was one. */
    List<Optimistic.Section> optimistic;

    /** The index of the access to an element that goes the slow way. */
    int element;

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
}
