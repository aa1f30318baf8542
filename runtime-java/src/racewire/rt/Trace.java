package racewire.rt;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The events of the run, told to the native library, which writes them to a file for {@code racewire analyze} and gives
 * them to plug-ins.
 *
 * <p>They are told where the detectors at run time take them in, so that those that look at the file find the same. What
 * a thread makes known to others is a moment ({@link Past}); it is told before anybody can learn of it, and what is
 * learned afterwards. Accesses of one variable are told one by one: whoever takes them in holds {@link #turn}.
 */
final class Trace {
    static final boolean ON = !Monitoring.SHARING
            && !(Options.TRACE.value().isEmpty() && Options.PLUGIN.value().isEmpty());

    // Numbers of the library's.
    private static final int RELEASE = 0;
    private static final int ACQUIRE = 1;
    private static final int MERGE = 2;
    private static final int LOCK = 3;
    private static final int UNLOCK = 4;
    private static final int OBSERVE = 5;
    private static final int ACCESS = 6;
    private static final int PASSING_ACCESS = 7;
    private static final int ELEMENTS = 8;
    private static final int STAMP = 9;
    private static final int ASKED = 10;
    private static final int FLOW_READ = 11;
    private static final int FLOW_WRITE = 12;
    private static final int FLOW_FORGET = 13;
    private static final int FLOW_PASS = 14;
    private static final int FLOW_USE = 15;
    private static final int FLAG_READ = 16;
    private static final int FLAG_WRITE = 17;
    private static final int FROZEN_ACCESS = 18;
    private static final int FROZEN_ELEMENT = 19;

    /** A flag beside the number of a moment: a plug-in has found something, or there is trouble to tell. */
    static final long NEWS = 1L << 62;

    private static final int TURNS = 64;
    private static final Object[] TURN = new Object[ON ? TURNS : 0];
    private static final AtomicLong OWNERS = new AtomicLong();

    /** Nobody takes the events any more. */
    private static boolean stopped;

    static {
        for (int i = 0; i < TURN.length; i++) {
            TURN[i] = new Object();
        }
    }

    private Trace() { }

    /** Says why there is no trace, or no plug-in, where something is wrong with it. */
    static void check() {
        String troubles = Native.traceTroubles();
        if (troubles != null) {
            for (String line : troubles.split("\n")) {
                Stderr.line(line);
            }
        }
    }

    private static long tell(int what, int thread, long a, long b, int c) {
        if (stopped) {
            return 0;
        }
        long moment = Native.trace(what, thread, a, b, c);
        if (moment >= 0 && (moment & NEWS) == 0) {
            return moment;
        }
        check();
        if (moment < 0) {
            stopped = true;
            return 0;
        }
        Exit.atFinding();
        return moment & ~NEWS;
    }

    // ---- moments

    /** A new moment of the thread; its number. */
    static long release(int thread) {
        return tell(RELEASE, thread, 0, 0, 0);
    }

    static void acquire(int thread, Past past) {
        tell(ACQUIRE, thread, past.moment(), 0, 0);
    }

    /** Two moments are put together. */
    static long merge(Past one, Past other) {
        return tell(MERGE, ThreadTable.current().id(), one.moment(), other.moment(), 0);
    }

    // ---- locks

    /** {@code takenAt}: the library's number for the place, or 0. */
    static void lock(int thread, int lock, boolean shared, int takenAt) {
        tell(LOCK, thread, lock, shared ? 1 : 0, takenAt);
    }

    static void unlock(int thread, int lock, boolean shared) {
        tell(UNLOCK, thread, lock, shared ? 1 : 0, 0);
    }

    /** The thread has seen what others did under its locks. */
    static void observe(int thread) {
        tell(OBSERVE, thread, 0, 0, 0);
    }

    /** A volatile or atomic variable is looked at, or overwritten. Whoever tells holds {@link #turn} of it. */
    static void flag(ThreadState me, SyncVar flag, boolean write) {
        tell(write ? FLAG_WRITE : FLAG_READ, me.id(), id(me, flag), 0, 0);
    }

    // ---- optimistic reads

    private static final AtomicLong SECTIONS = new AtomicLong();

    /** The thread has got a stamp of this lock; the number of the section that begins. */
    static long stamp(int thread, Object lock) {
        LockRef ref = LockTable.of(lock, System.identityHashCode(lock));
        long section = SECTIONS.incrementAndGet();
        if (ref != null) {
            tell(STAMP, thread, ref.id, section, 0);
        }
        return section;
    }

    /**
     * It has asked about it, or never will.
     *
     * @param released what the writers of the lock have released by now
     */
    static void asked(int thread, long section, boolean asked, boolean valid, boolean writing, long released) {
        tell(ASKED, thread, section, released, (asked ? 1 : 0) | (valid ? 2 : 0) | (writing ? 4 : 0));
    }

    // ---- values that are followed

    private static final ConcurrentHashMap<String, Integer> FLOWS = new ConcurrentHashMap<>();

    private static int flow(String text) {
        Integer known = FLOWS.get(text);
        if (known == null && !stopped) {
            known = Native.traceFlow(text);
            FLOWS.put(text, known);
        }
        return known == null ? 0 : known;
    }

    private static void followed(int what, StaleVariable variable, String place, String from) {
        int at = flow(place);
        int origin = from == null ? 0 : flow(from);
        tell(what, ThreadTable.current().id(), variable == null ? 0 : id(variable), origin, at);
    }

    /** Whoever tells of a variable that is followed holds {@link #turn} of it. */
    static void flowRead(StaleVariable variable, String place) {
        followed(FLOW_READ, variable, place, null);
    }

    static void flowWrite(StaleVariable variable, String place) {
        followed(FLOW_WRITE, variable, place, null);
    }

    static void flowForget(String flow) {
        followed(FLOW_FORGET, null, flow, null);
    }

    static void flowPass(String flow, String from) {
        followed(FLOW_PASS, null, flow, from);
    }

    static void flowUse(String use, String from) {
        followed(FLOW_USE, null, use, from);
    }

    private static long id(StaleVariable variable) {
        if (variable.traced == 0 && !stopped) {
            long number = OWNERS.incrementAndGet();
            Object owner = variable.get();
            if (owner != null) {
                Native.traceOwner(number, LockIdentity.describe(owner, System.identityHashCode(owner)));
            }
            variable.traced = number;
        }
        return variable.traced;
    }

    // ---- accesses

    /** Held while an access of a variable in this object is taken in. */
    static Object turn(Object holder) {
        return TURN[System.identityHashCode(holder) & TURNS - 1];
    }

    /** @param passing it is not kept */
    static void access(ThreadState me, Object owner, int site, boolean atomic, boolean passing) {
        tell(passing ? PASSING_ACCESS : ACCESS, me.id(), id(me, owner), 0, place(me, site, atomic));
    }

    /** A read that a final field orders behind the last write. */
    static void frozenAccess(ThreadState me, Object owner, int site) {
        tell(FROZEN_ACCESS, me.id(), id(me, owner), 0, place(me, site, false));
    }

    static void frozenElement(ThreadState me, Object array, int index, int site) {
        tell(FROZEN_ELEMENT, me.id(), id(me, array), index, place(me, site, false));
    }

    static void elements(ThreadState me, Object array, int from, int to, int site, boolean atomic) {
        tell(ELEMENTS, me.id(), id(me, array), (long) to << 32 | from, place(me, site, atomic));
    }

    private static int place(ThreadState me, int site, boolean atomic) {
        boolean optimistic = me.optimistic != null && !me.optimistic.isEmpty();
        return site << 2 | (optimistic ? 2 : 0) | (atomic ? 1 : 0);
    }

    /** A number for an object with variables. */
    private static long id(ThreadState me, Object owner) {
        SyncRef ref = me.sync(owner);
        long known = ref.traced;
        if (known == 0 && !stopped) {
            synchronized (ref) {
                known = ref.traced;
                if (known == 0) {
                    known = OWNERS.incrementAndGet();
                    Native.traceOwner(known, LockIdentity.describe(owner, ref.hash));
                    ref.traced = known;
                }
            }
        }
        return known;
    }
}
