package racewire.rt;

import java.lang.reflect.Field;

/**
 * The native library: the detector, the tables of threads, locks and sites, and the findings file. A call
 * that fails inside returns the neutral value named below; {@link #trouble()} then says why.
 */
final class Native {
    /** Bits of a result of {@link #step}; stripped before the word is stored. */
    static final long REPORT = 1L << 62;
    static final long STACK = 1L << 61;
    static final long DO_NOT_CACHE = 1L << 60;
    static final long FLAGS = REPORT | STACK | DO_NOT_CACHE;

    /**
     * Bits of a result that is an interned word, and the one that was given: the thread's accesses at this site change
     * nothing in this period, whenever the owner's own monitor is held; or in any case.
     */
    static final long OWNER_HELD = 1L << 59;
    static final long ALWAYS = 1L << 58;

    /** The word in a result of {@link #step}. */
    static long word(long result) {
        return result & ~(result < 0 ? FLAGS | OWNER_HELD | ALWAYS : FLAGS);
    }

    private Native() { }

    /** Options as key, value, key, value …; null, or why monitoring is impossible. */
    static native String init(String[] keyValues);

    /** A new thread's id, or -1. {@code parentEpoch} 0: its start was not seen. */
    static native int thread(String name, int parentEpoch, String[] startedAt);

    /** The thread has had its last event. Late or missing calls only cost speed. */
    static native void threadDead(int id);

    /** A new lock's id, or -1. */
    static native int lock(String description);

    static native void lockDead(int id);

    /** The id of an epoch, or 0. {@code held}: lock id {@code << 1 |} 1 for a read lock. */
    static native int epoch(int thread, int period, int[] held, int n);

    /** Id of the table's first site (the others follow), or -1 for a bad table. */
    static native int register(String siteTable);

    /** The new word with flags, or -1. */
    static native long step(long word, int epoch, int site);

    /**
     * Writes the findings of this step ({@code word} is the old one). Sites whose stacks are wanted now, or null.
     */
    static int[] found(long word, int epoch, int site, String owner, String[] stack) {
        return foundIn(word, epoch, site, owner, stack, Tests.now());
    }

    private static native int[] foundIn(long word, int epoch, int site, String owner, String[] stack,
            String[] tests);

    /**
     * Writes the race, or potential race, of this access with an earlier one under these {@link LockSets}; the same.
     *
     * @param element of the array that is the owner; -1 if it is none
     */
    static int[] race(boolean potential, int epoch, int site, int earlierThread, int earlierSite, int earlierLocks,
            int element, String owner, String[] stack) {
        return raceIn(potential, epoch, site, earlierThread, earlierSite, earlierLocks, element, owner, stack, Tests.now());
    }

    private static native int[] raceIn(boolean potential, int epoch, int site, int earlierThread, int earlierSite,
            int earlierLocks, int element, String owner, String[] stack, String[] tests);

    /** A site touches its field for the first time. */
    static native void touched(int site, int epoch);

    /** Whether a lock protects both accesses, under these {@link LockSets}. */
    static native boolean shareLock(int earlier, boolean earlierWrites, int later, boolean laterWrites);

    /**
     * A lock is taken while others are held (id {@code << 1 |} 1 for a read lock; where: numbers that this gave, or 0).
     * Writes what that makes possible. {@code hard}: see {@link Past}. A number for where the lock was taken.
     */
    static int nested(int thread, int lock, int[] held, int[] heldAt, int slot, int time, int[] hard,
            String[] stack) {
        int place = nestedIn(thread, lock, held, heldAt, slot, time, hard, stack, Tests.now());
        Exit.atFinding();
        return place;
    }

    private static native int nestedIn(int thread, int lock, int[] held, int[] heldAt, int slot, int time, int[] hard,
            String[] stack, String[] tests);

    /**
     * A lock is given back under which fields were accessed at these sites; {@code outer} were held all the time. The stack
     * may be empty. Writes what that tears; whether it takes more to know: what was done last under the lock, and what is
     * done next.
     */
    static boolean section(int thread, int lock, int[] outer, int[] sites, int slot, int time, int[] hard,
            String[] stack) {
        return sectionIn(thread, lock, outer, sites, slot, time, hard, stack, Tests.now());
    }

    private static native boolean sectionIn(int thread, int lock, int[] outer, int[] sites, int slot, int time, int[] hard,
            String[] stack, String[] tests);

    /**
     * Writes that {@code use} was stale: a thread read at {@code read}, the writer wrote at {@code write}, and then the
     * thread used what it had read. The other two stacks are null where they are not known.
     */
    static void stale(String use, String read, String write, int thread, int writer, String owner, String[] stack,
            String[] readStack, String[] writeStack) {
        staleIn(use, read, write, thread, writer, owner, stack, readStack == null ? Stacks.NONE : readStack,
                writeStack == null ? Stacks.NONE : writeStack, Tests.now());
        Exit.atFinding();
    }

    private static native void staleIn(String use, String read, String write, int thread, int writer, String owner,
            String[] stack, String[] readStack, String[] writeStack, String[] tests);

    /** A number for where a lock was taken, or 0. */
    static native int lockTakenAt(String[] stack);

    /**
     * A thread of a deadlock waits for {@code lock}, and the one told of before it waits for {@code held}, which was taken
     * at {@code heldAt} (empty: not known).
     */
    static native void waits(int thread, String lock, String held, String[] heldAt, String[] allHeld, String[] stack);

    /** Writes the deadlock of the threads told of; whether it is news. */
    static boolean deadlock() {
        return deadlockIn(Tests.now());
    }

    private static native boolean deadlockIn(String[] tests);

    /** An event for the trace, see {@link Trace}: the number of a new moment, or 0; -1 if there is no trace any more. With
     * {@link Trace#NEWS} where there is something to tell the user. */
    static native long trace(int what, int thread, long a, long b, int c);

    static native void traceOwner(long id, String description);

    /** A number for the place of a flow. */
    static native int traceFlow(String text);

    /** Lines that say why there is no trace, or no plug-in, or no more of it; null if there is nothing new to be said. */
    static native String traceTroubles();

    static native void stack(int site, int epoch, String[] stack);

    /** The number of findings so far. */
    static native int count();

    /** What was found in a test since it was last asked, a line each; or empty. */
    static native String takeFindings(String test);

    /** Writes the last record; the number of findings. */
    static native int end();

    /** The findings file of this process. */
    static native String file();

    /** Why the library has switched itself off, or null. */
    static native String trouble();

    /** JDK 9+: exports {@code jdk.internal.misc} to the module of {@code runtimeClass}; null, or why it failed. */
    static native String exportInternals(Class<?> runtimeClass);

    /** The field as a reflective object, without the filters and the class loading of reflection; or null. */
    static native Field field(Class<?> owner, String name, String descriptor, boolean isStatic);

    /**
     * The fields that {@code owner} declares; none if a class that one of them names is missing. The JDK's reflection would keep
     * them, in one program some thousands, as long as the class lives.
     */
    static Field[] fields(Class<?> owner) {
        Field[] all = declaredFields(owner);
        try {
            // Of a JDK that has no such method there is no other way: to know of no fields would make false reports.
            return all == null ? owner.getDeclaredFields() : all;
        } catch (LinkageError aFieldTypeIsMissing) {
            return new Field[0];
        }
    }

    private static native Field[] declaredFields(Class<?> owner);

    /**
     * The address of so many longs, all 0, at the beginning of a cache line, that are there for good; 0: no memory. A table of which
     * little is used costs that little only here, where the Java heap would be larger by all of it.
     */
    static native long table(int longs);

    /** Enters the monitor of {@code o}, for {@link #exit}; false: it could not. See {@link Locks#enter}. */
    static native boolean enter(Object o);

    static native void exit(Object o);

    /** Runs {@code hook} after the program's shutdown hooks; its slot, or -1 if this JDK does not let us. */
    static native int atExit(Runnable hook);

    /** The hooks that the JDK would run after the one in {@code slot}. */
    static native Runnable[] exitHooksAfter(int slot);
}
