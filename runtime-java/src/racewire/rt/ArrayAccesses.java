package racewire.rt;

import java.lang.reflect.Array;
import java.util.Arrays;

/**
 * What a thread did to elements of arrays since it last told of it. Only the thread itself uses it, and whoever knows
 * that it has ended.
 */
final class ArrayAccesses {
    /** What is known of an array is looked at without its lock first; traces and counts have every access. */
    private static final boolean LOOKS_TWICE = !Trace.ON && !Counts.ON;

    /** How often an element that is known already is asked for before it is noted; a power of two, as is the next. */
    private static final int OFTEN = 64;
    private static final int KNOWN_SITES = 64;

    /** Whose it is; null if this is a copy. */
    final ThreadState who;
    final Clock clock;
    final Encounter met;
    final CommonLocks commonLocks;
    /** For elements of a {@link Block}, all 0 between uses. */
    final long[] scratch = new long[Block.WORDS];
    final Footprints reads;
    final Footprints writes;

    /** What an access that goes the slow way comes to, if it is not one element: see {@link #element}. */
    private Walk walk = Walk.NOWHERE;

    /** How many came by {@link #walk}. */
    int walks;

    private Footprint[] pending = new Footprint[4];
    private int count;

    ArrayAccesses(ThreadState who, Clock clock) {
        this.who = who;
        this.clock = clock;
        long tid = who == null ? -1 : who.tid;
        reads = new Footprints(this, tid, false);
        writes = new Footprints(this, tid, true);
        this.met = new Encounter(clock);
        commonLocks = who == null ? new CommonLocks() : who.commonLocks;
    }

    private final RefCache<ArrayRef> refs = new RefCache<>();
    private final KnownElements knownReads = new KnownElements();
    private final KnownElements knownWrites = new KnownElements();
    /** See {@link IdentityRef#letGo}. */
    void letGo() {
        refs.letGo();
        knownReads.letGo();
        knownWrites.letGo();
        reads.letGo();
        writes.letGo();
    }

    /** How often known elements were asked for, by site. */
    private final byte[] known = new byte[KNOWN_SITES];

    private ArrayRef ref(Object array, int hash) {
        ArrayRef known = refs.get(array, hash);
        return known != null ? known : refs.put(hash, ArrayRef.ALL.of(array, hash));
    }

    /** An access to an element that {@link Footprints#note} does not know; true if its class has to register first. */
    boolean element(Object array, int index, int site, Class<?> user, boolean write) {
        int hash = System.identityHashCode(array);
        boolean isLatelyKnown = LOOKS_TWICE && (write ? knownWrites : knownReads).has(array, hash, index, clock.stamp());
        if (isLatelyKnown && !isOften(array, hash, site)) {
            return false;
        }
        Footprints kind = write ? writes : reads;
        if (kind.noteLatest(array, index, site, user)) {
            return false;
        }
        ArrayRef ref = ref(array, hash);
        if (LOOKS_TWICE && !isLatelyKnown && knows(ref, index, write) && !isOften(array, hash, site)
                || ref.isAwaited() && kind.noteElsewhere(ref, index, site, user)) {
            return false;
        }
        who.element = index;
        Sites sites = user == null ? null : Sites.of(user);
        if (sites == null) {
            return true;
        }
        if (!who.busy && !Monitoring.stopped) {
            who.busy = true;
            try {
                sites.element(who, ref, array, index, site);
            } finally {
                who.busy = false;
            }
        }
        return false;
    }

    /**
     * Whether what is known is asked for at this site again and again: to note it is dearer once, and from then on the hook
     * need not come here.
     */
    private boolean isOften(Object array, int hash, int site) {
        return (++known[site & KNOWN_SITES - 1] & OFTEN - 1) == 0 && ref(array, hash).isWorthNoting();
    }

    /** Whether the thread has accessed this element at this very time. */
    private boolean knows(ArrayRef ref, int index, boolean write) {
        long stamp = clock.stamp();
        long elements = ref.knownAround(stamp, write, index);
        if (elements == 0) {
            return false;
        }
        (write ? knownWrites : knownReads).learn(ref, index >>> 6, stamp, elements);
        return true;
    }

    /** The same for a walk within one word: many loops are over before they have come far, and come again. */
    private boolean isKnown(Object array, Walk walk, boolean write) {
        int word = walk.low >>> 6;
        if (!LOOKS_TWICE || word != walk.high >>> 6 || !Walk.isRegular(walk.distance)) {
            return false;
        }
        int hash = System.identityHashCode(array);
        long elements = Walk.bits(word, walk.low, walk.high, walk.distance);
        KnownElements known = write ? knownWrites : knownReads;
        return known.has(array, hash, word, elements, clock.stamp())
                || knows(ref(array, hash), walk.low, write) && known.has(array, hash, word, elements, clock.stamp());
    }

    /** A walk that {@link Footprints#note} does not know; true if its class has to register first. */
    boolean walk(Object array, int last, int span, int stride, int site, Class<?> user, boolean write) {
        walks++;
        Walk done = new Walk(last, span, stride, Array.getLength(array));
        if (done.isEmpty() || isKnown(array, done, write) || (write ? writes : reads).noteElsewhere(array, done, site, user)) {
            return false;
        }
        walk = done;
        who.element = Walk.ELEMENTS;
        Sites sites = user == null ? null : Sites.of(user);
        if (sites == null) {
            return true;
        }
        Hooks.access(sites, array, site);
        walk = Walk.NOWHERE;
        return false;
    }

    /** Whether a call's access is nothing new to tell of, or is noted now. */
    boolean notes(Part part, int site, Class<?> user, boolean write) {
        return (write ? writes : reads).noteElsewhere(part.array, part, site, user);
    }

    /** What the access that goes the slow way comes to. */
    Walk slowly(int element) {
        return element == Walk.ELEMENTS ? walk : new Walk(element);
    }

    /** More elements than the one that was told of may be in it. */
    void await(Footprint f) {
        if (!f.isPending) {
            if (count == pending.length) {
                pending = Arrays.copyOf(pending, count * 2);
            }
            f.isPending = true;
            pending[count++] = f;
        }
    }

    /** Before the thread's time goes on, and before it learns something. */
    void tell() {
        if (count > 0) {
            OutOfLine.tellAll(this);
        }
    }

    void tellAll() {
        int n = count;
        count = 0;
        for (int i = 0; i < n; i++) {
            Footprint f = pending[i];
            pending[i] = null;
            f.isPending = false;
            try {
                f.tell(this);
            } catch (Throwable keptQuiet) {
                // See Hooks.access. Bits that stay would be taken for accesses of a later time.
                f.clear();
                Arrays.fill(scratch, 0);
            }
        }
    }

    /** The same, for a thread that does not care: what it has done by now, though it may be doing more. */
    void tellAside() {
        for (Footprint f : pending) {
            if (f != null) {
                f.tellAside(clock);
            }
        }
    }
}
