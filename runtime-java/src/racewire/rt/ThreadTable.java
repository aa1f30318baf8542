package racewire.rt;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.Arrays;
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

    private static final int FIRST_SIZE = 256;
    private static final int MAX_SIZE = 1 << 16;

    /** Stands where no thread does; no thread has its id. */
    private static final ThreadState NOBODY = new ThreadState(null, -1, -1, null);

    private static final ConcurrentHashMap<Long, ThreadState> ALL = new ConcurrentHashMap<>();
    private static final ReferenceQueue<Thread> DEAD = new ReferenceQueue<>();

    /** New threads until the old ones are looked through for those that have ended: as many as there are. */
    private static final int SWEEP_AT_LEAST = 32;
    private static int untilSweep = SWEEP_AT_LEAST;

    /** Length a power of two. Read without synchronization: an old array only misses the newest threads. */
    private static ThreadState[] table = emptyTable(FIRST_SIZE);

    private ThreadTable() { }

    /** The current thread's epoch, or one that equals no word if its state is not in its place. */
    static long epoch() {
        if (PatchedThread.OURS) {
            return PatchedThread.epoch();
        }
        long tid = Mem.M.getLong(Thread.currentThread(), TID);
        ThreadState[] t = table;
        ThreadState state = t[(int) tid & t.length - 1];
        return state.tid == tid ? state.epoch : Epochs.NONE;
    }

    /** Whether the current thread knows that this access changes nothing, though the epochs differ. */
    static boolean knows(long word, int site, Object owner) {
        ThreadState state = installed();
        return state != null && state.knows(word, site, owner);
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
        long tid = Mem.M.getLong(Thread.currentThread(), TID);
        ThreadState[] t = table;
        ThreadState state = t[(int) tid & t.length - 1];
        return state.tid == tid ? state : null;
    }

    private static ThreadState find(Thread thread) {
        long tid = Mem.M.getLong(thread, TID);
        ThreadState state = ALL.get(tid);
        if (state == null) {
            state = make(thread, tid, 0, Stacks.NONE);
        }
        state.ran = true;
        if (PatchedThread.OURS) {
            PatchedThread.setState(state);
        } else {
            install(state);
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
        if (known == null) {
            make(child, tid, epoch, startedAt);
        } else if (!known.ran) {
            int id = Native.thread(child.getName(), epoch, startedAt);
            if (id >= 0) {
                known.reborn(id);
            }
        }
        parent.nextPeriod();
    }

    private static ThreadState make(Thread thread, long tid, int parentEpoch, String[] startedAt) {
        drain();
        sweep();
        if (Counts.ON) {
            Counts.NATIVE.increment();
        }
        int id = Native.thread(thread.getName(), parentEpoch, startedAt);
        if (parentEpoch == 0) {
            // Not before: a step computed meanwhile would be remembered without this thread in mind.
            ThreadState.forgetSteps();
        }
        if (id < 0) {
            Monitoring.checkTrouble();
        }
        ThreadState state = new ThreadState(thread, tid, id, DEAD);
        ALL.put(tid, state);
        return state;
    }

    /** The thread may have ended: tells the library if so. */
    static void ended(Thread thread) {
        ThreadState state = thread == null || thread.isAlive() ? null : peek(thread);
        if (state != null && state.ran) {
            state.bury();
        }
    }

    /** Tells the library of threads that have ended but are still referenced. */
    private static synchronized void sweep() {
        if (--untilSweep <= 0) {
            untilSweep = Math.max(SWEEP_AT_LEAST, ALL.size());
            for (ThreadState state : ALL.values()) {
                Thread thread = state.get();
                // One that has not run may be about to be started.
                if (thread != null && state.ran && !state.buried && !thread.isAlive()) {
                    state.bury();
                }
            }
        }
    }

    /** Puts a state in its place; two living threads that want the same place make the table grow. */
    private static synchronized void install(ThreadState state) {
        ThreadState[] t = table;
        ThreadState there = t[(int) state.tid & t.length - 1];
        Thread other = there.get();
        if (other != null && there != state && other.isAlive() && t.length < MAX_SIZE) {
            t = emptyTable(t.length * 2);
            for (ThreadState old : table) {
                if (old != NOBODY) {
                    t[(int) old.tid & t.length - 1] = old;
                }
            }
        }
        t[(int) state.tid & t.length - 1] = state;
        table = t;
    }

    private static void drain() {
        for (Reference<?> dead = DEAD.poll(); dead != null; dead = DEAD.poll()) {
            ThreadState gone = (ThreadState) dead;
            ALL.remove(gone.tid, gone);
            gone.bury();
            synchronized (ThreadTable.class) {
                int at = (int) gone.tid & table.length - 1;
                if (table[at] == gone) {
                    table[at] = NOBODY;
                }
            }
        }
    }

    private static ThreadState[] emptyTable(int size) {
        ThreadState[] t = new ThreadState[size];
        Arrays.fill(t, NOBODY);
        return t;
    }
}
