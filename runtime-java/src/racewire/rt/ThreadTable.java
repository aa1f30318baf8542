package racewire.rt;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.Collection;
import java.util.concurrent.ConcurrentHashMap;

/**
 * From the current thread to its state. The fast way is a field of the thread where there is one
 * ({@link PatchedThread}), else an array indexed by the low bits of the thread's {@code tid}; behind it stands a map
 * of all threads, from which states leave when their thread is collected.
 *
 * <p>The {@code tid} is read as memory: before JDK 19 {@code getId} can be overridden, and must not be called.
 */
final class ThreadTable {
    static final long TID = Mem.privateOffset("java.lang.Thread", "tid", "J");

    /** A power of two. Of two living threads that want one place, the later has none and goes by the map. */
    private static final int PLACES = PatchedThread.OURS ? 1 : 1 << 13;
    /** Bytes per place: a cache line, so that a thread's epochs do not disturb the next one's. */
    private static final int STRIDE = 64;
    private static final int LAST = (PLACES - 1) * STRIDE;
    private static final int EPOCH = 8;
    private static final int STAMP = 16;

    /** By place: tid, epoch and stamp of the thread there. Outside the heap, as most places have no thread. */
    private static final long EPOCHS = PatchedThread.OURS || Mem.M == null ? 0 : Mem.table(PLACES * STRIDE / 8);
    private static final ThreadState[] STATES = new ThreadState[PLACES];

    private static final ConcurrentHashMap<Long, ThreadState> ALL = new ConcurrentHashMap<>();
    private static final ReferenceQueue<Thread> DEAD = new ReferenceQueue<>();

    /** New threads until the old ones are looked through for those that have ended: as many as there are. */
    private static final int SWEEP_AT_LEAST = 32;
    private static int untilSweep = SWEEP_AT_LEAST;

    private ThreadTable() { }

    // Until the JIT has looked at a hook each call within it is dear: so these are in one piece.

    /** The current thread's epoch, or one that equals no word if its state is not in its place. */
    static long epoch() {
        if (PatchedThread.OURS) {
            return PatchedThread.epoch();
        }
        if (!Hooks.ON) {
            return Epochs.NONE;
        }
        long tid = Mem.M.getLong(Thread.currentThread(), TID);
        long at = EPOCHS + ((int) tid * STRIDE & LAST);
        return Mem.M.getLong(null, at) == tid ? Mem.M.getLong(null, at + EPOCH) : Epochs.NONE;
    }

    /** The current thread, {@code state}, has a new epoch. */
    static void publish(LockEpochs state, long epoch) {
        if (PatchedThread.OURS) {
            PatchedThread.setEpoch(epoch);
        } else {
            long at = EPOCHS + ((int) state.tid * STRIDE & LAST);
            if (Mem.M.getLong(null, at) == state.tid) {
                Mem.M.putLong(null, at + EPOCH, epoch);
            }
        }
    }

    /** The current thread's stamp, or one that equals no other if its state is not in its place. */
    static long stamp() {
        if (PatchedThread.OURS) {
            return PatchedThread.stamp();
        }
        if (!Hooks.ON) {
            return Stamps.NONE;
        }
        long tid = Mem.M.getLong(Thread.currentThread(), TID);
        long at = EPOCHS + ((int) tid * STRIDE & LAST);
        return Mem.M.getLong(null, at) == tid ? Mem.M.getLong(null, at + STAMP) : Stamps.NONE;
    }

    /** The current thread, {@code state}, has a new stamp. */
    static void publishStamp(ThreadState state, long stamp) {
        if (PatchedThread.OURS) {
            PatchedThread.setStamp(stamp);
        } else {
            long at = EPOCHS + ((int) state.tid * STRIDE & LAST);
            if (Mem.M.getLong(null, at) == state.tid) {
                Mem.M.putLong(null, at + STAMP, stamp);
            }
        }
    }

    /** Whether the stamp is not the current thread's of this moment. */
    static boolean isElsewhen(long stamp) {
        return ((stamp ^ stamp()) & Stamps.WHO_AND_WHEN) != 0 && (stamp >= 0 || !OutOfLine.hasRead(stamp));
    }

    /** Whether neither is. */
    static boolean isElsewhen(long writes, long reads) {
        long now = stamp();
        return ((writes ^ now) & Stamps.WHO_AND_WHEN) != 0 && ((reads ^ now) & Stamps.WHO_AND_WHEN) != 0
                && (reads >= 0 || !OutOfLine.hasRead(reads));
    }

    /** Whether the current thread is among these readers, as of now. */
    static boolean hasRead(long mark) {
        ThreadState state = installed();
        return state == null ? !Hooks.ON : state.hasRead(mark);
    }

    /**
     * Whether this access may change something, where the epochs differ: not if the current thread knows better. In line
     * it asks only what is soon told. The rest is larger than all else in a hook.
     */
    static boolean mayChange(long word, int site, Object owner) {
        if (!Hooks.ON || word < 0 && isSettled(word, site, owner)) {
            return false;
        }
        return OutOfLine.mayChange(word, site, owner);
    }

    private static boolean isSettled(long word, int site, Object owner) {
        ThreadState state = installed();
        return state != null && state.settled.isSoonTold(word, Epochs.ordinal(site), owner);
    }

    /** Whether the current thread knows that this access changes nothing, though the epochs differ. */
    static boolean knows(long word, int site, Object owner) {
        ThreadState state = installed();
        return state != null && state.settled.knows(word, site, owner);
    }

    /** The current thread's state; a thread whose start was not seen becomes a root. */
    static ThreadState current() {
        ThreadState state = installed();
        return state != null ? state : find(Thread.currentThread());
    }

    /** The current thread's state if it is in its place. */
    private static ThreadState installed() {
        if (PatchedThread.OURS) {
            return PatchedThread.state();
        }
        if (!Hooks.ON) {
            return null;
        }
        long tid = Mem.M.getLong(Thread.currentThread(), TID);
        ThreadState state = STATES[(int) tid & PLACES - 1];
        return state != null && state.tid == tid ? state : null;
    }

    /** Whether the current thread's state is surely made, and in its place. */
    static boolean isHere() {
        if (PatchedThread.OURS) {
            return PatchedThread.state() != null;
        }
        long tid = Mem.M.getLong(Thread.currentThread(), TID);
        return Mem.M.getLong(null, EPOCHS + ((int) tid * STRIDE & LAST)) == tid;
    }

    private static ThreadState find(Thread thread) {
        long tid = Mem.M.getLong(thread, TID);
        ThreadState state = ALL.get(tid);
        if (state == null) {
            state = make(thread, tid, 0, Stacks.NONE, null);
        }
        boolean begins = !state.ran;
        state.ran = true;
        if (PatchedThread.OURS) {
            PatchedThread.setState(state);
        } else {
            install(state);
        }
        if (begins) {
            state.isDaemon = thread.isDaemon();
            Exits.begins(state, thread);
        }
        return state;
    }

    /** The thread's state if it has one. */
    static ThreadState peek(Thread thread) {
        return ALL.get(Mem.M.getLong(thread, TID));
    }

    /**
     * The current thread is about to start {@code child}: the child sees what happened up to now, and what
     * follows is a new period of the parent. A later call wins until the child runs, because an overridden
     * {@code start} may do more before it calls {@code super.start}.
     */
    static void starting(Thread child) {
        // isAlive is final: no program code. Alive means already started, so this start will fail.
        if (child == null || child.isAlive()) {
            return;
        }
        ThreadState parent = current();
        int epoch = Epochs.id(parent.epoch());
        long tid = Mem.M.getLong(child, TID);
        String[] startedAt = Stacks.capture();
        ThreadState known = ALL.get(tid);
        Past start = Order.CLOCKS ? parent.past() : null;
        if (known == null) {
            make(child, tid, epoch, startedAt, start);
        } else if (!known.ran) {
            int id = Native.thread(child.getName(), epoch, startedAt);
            if (id >= 0) {
                known.reborn(id, start);
            }
        }
        parent.nextPeriod();
    }

    private static ThreadState make(Thread thread, long tid, int parentEpoch, String[] startedAt, Past start) {
        Beforehand.initialize();
        drain();
        sweepSometimes();
        if (Counts.ON) {
            Counts.NATIVE.increment();
        }
        int id = Native.thread(thread.getName(), parentEpoch, startedAt);
        if (parentEpoch == 0) {
            // Not before: a step computed meanwhile would be remembered without this thread in mind.
            KnownSteps.forgetAll();
        }
        if (id < 0) {
            Monitoring.checkTrouble();
        }
        ThreadState state = new ThreadState(thread, tid, id, DEAD, Order.CLOCKS ? Slots.take(start, id) : null);
        ALL.put(tid, state);
        if (Order.ON && start == null) {
            Initialisation.isNews();
        }
        return state;
    }

    static Collection<ThreadState> all() {
        return ALL.values();
    }

    /** Accesses that no thread sees any more must come by again: their stacks are wanted. */
    static void unsettleAll() {
        for (ThreadState state : ALL.values()) {
            state.settled.unsettle();
        }
    }

    /** The thread may have ended: tells the library if so. */
    static void ended(Thread thread) {
        ThreadState state = thread == null || thread.isAlive() ? null : peek(thread);
        if (state == null) {
            return;
        }
        if (Order.CLOCKS) {
            state.tellLast();
            // JLS 17.4.4: its last action is before whatever finds that it has ended.
            current().clock.learn(state.clock.last());
        }
        if (state.ran) {
            bury(state);
        }
    }

    /** Those who find at once that a thread has ended: its slot must not be given back twice. */
    private static void bury(ThreadState state) {
        synchronized (state) {
            state.bury();
        }
    }

    /** All threads tell what they have done by now and not told. */
    static void tellAll() {
        for (ThreadState state : ALL.values()) {
            Thread thread = state.get();
            if (thread == null || thread == Thread.currentThread() || !thread.isAlive()) {
                state.tellLast();
            } else {
                state.tellAside();
            }
        }
    }

    /** Tells the library of threads that have ended but are still referenced. */
    private static synchronized void sweepSometimes() {
        if (--untilSweep <= 0) {
            untilSweep = Math.max(SWEEP_AT_LEAST, ALL.size());
            sweep();
        }
    }

    private static void sweep() {
        for (ThreadState state : ALL.values()) {
            Thread thread = state.get();
            // One that has not run may be about to be started.
            if (thread != null && state.ran && !thread.isAlive()) {
                bury(state);
            }
        }
    }

    /** After a collection. */
    static void clean() {
        drain();
        sweep();
    }

    /** After the tables were swept. */
    static void letGo() {
        for (ThreadState state : ALL.values()) {
            state.letGo();
        }
    }

    /** Puts the current thread's state in its place, unless another living thread is there. */
    private static void install(ThreadState state) {
        int place = (int) state.tid & PLACES - 1;
        ThreadState there = STATES[place];
        Thread other = there == null ? null : there.get();
        if (other != null && there != state && other.isAlive()) {
            return;
        }
        synchronized (STATES) {
            if (STATES[place] == there) {
                long at = EPOCHS + place * STRIDE;
                Mem.M.putLong(null, at + EPOCH, state.epoch);
                Mem.M.putLong(null, at + STAMP, state.stamp);
                Mem.M.putLong(null, at, state.tid);
                STATES[place] = state;
            }
        }
    }

    private static void drain() {
        for (Reference<?> dead = DEAD.poll(); dead != null; dead = DEAD.poll()) {
            ThreadState gone = (ThreadState) dead;
            ALL.remove(gone.tid, gone);
            bury(gone);
            int place = (int) gone.tid & PLACES - 1;
            synchronized (STATES) {
                if (STATES[place] == gone) {
                    STATES[place] = null;
                }
            }
        }
    }
}
