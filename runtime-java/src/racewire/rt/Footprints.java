package racewire.rt;

import java.util.Arrays;

/** A thread's {@link Footprint}s of one kind of access. Private to the thread, but for {@link #LATEST}. */
final class Footprints {
    /** A power of two. Two threads that have one place disturb each other, no more. */
    private static final int PLACES = Order.ON ? 1 << 6 : 1;
    private static final int SITES = 1 << 7;
    private static final int FIRST = 64;
    private static final int MOST = 1024;

    /** By place of the thread, kind and site: a loop stays with its arrays. */
    private static final Footprint[] LATEST = new Footprint[PLACES * 2 * SITES];

    static {
        Arrays.fill(LATEST, Footprint.NONE);
    }

    private final ArrayAccesses all;
    private final long tid;
    private final boolean write;
    /** By array and site. */
    private Footprint[] table = new Footprint[FIRST];
    private int misses;
    private int elsewhere;

    Footprints(ArrayAccesses all, long tid, boolean write) {
        this.all = all;
        this.tid = tid;
        this.write = write;
    }

    /** Whether an access of the current thread is nothing new to tell of, or is noted now. */
    static boolean note(Object array, int index, int site, Class<?> user, boolean write) {
        long tid = Mem.M.getLong(Thread.currentThread(), ThreadTable.TID);
        Footprint f = LATEST[place(tid, site, write)];
        return f.tid == tid && f.ref.get() == array && f.notes(index, site, user);
    }

    /** The same for elements that a loop walked through. */
    static boolean note(Object array, int last, int span, int stride, int site, Class<?> user, boolean write) {
        long tid = Mem.M.getLong(Thread.currentThread(), ThreadTable.TID);
        Footprint f = LATEST[place(tid, site, write)];
        return f.tid == tid && f.ref.get() == array && f.notes(new Walk(last, span, stride, f.ref.length), site, user);
    }

    private static int place(long tid, int site, boolean write) {
        return (((int) tid & PLACES - 1) * 2 + (write ? 1 : 0)) * SITES + (site & SITES - 1);
    }

    /** The same for one that does not go on as the loop did, or is the first of its word. */
    boolean noteLatest(Object array, int index, int site, Class<?> user) {
        Footprint f = LATEST[place(tid, site, write)];
        return f.tid == tid && !f.isEmpty() && f.isOf(array, site, user) && f.notesAny(index, site, user);
    }

    /** The same for one that is not the latest at its place. */
    boolean noteElsewhere(ArrayRef array, int index, int site, Class<?> user) {
        Footprint f = elsewhere(array.get(), array.hash, site, user);
        return f != null && f.notesAny(index, site, user);
    }

    boolean noteElsewhere(Object array, Walk walk, int site, Class<?> user) {
        Footprint f = LATEST[place(tid, site, write)];
        if (f.tid != tid || !f.isOf(array, site, user)) {
            f = elsewhere(array, System.identityHashCode(array), site, user);
        }
        return f != null && f.notes(walk, site, user);
    }

    /** That of the array and site if there is something in it; else null. */
    private Footprint elsewhere(Object array, int hash, int site, Class<?> user) {
        Footprint f = table[bucket(hash, site)];
        if (f == null || f.isEmpty() || !f.isOf(array, site, user)) {
            return null;
        }
        // To store a reference costs more than to look here a few times; and some loops go to and fro between arrays.
        if ((++elsewhere & 3) == 0) {
            LATEST[place(tid, site, write)] = f;
        }
        return f;
    }

    private int bucket(int hash, int site) {
        return (hash + site * 31) * 0x9E3779B9 >>> 13 & table.length - 1;
    }

    /** For the next access to this array at this site. */
    Footprint of(ArrayRef array, int site, Class<?> user) {
        Footprint f = table[bucket(array.hash, site)];
        if (f == null || !f.isOf(array.get(), site, user)) {
            f = replace(f, array, site);
        }
        LATEST[place(tid, site, write)] = f;
        return f;
    }

    private Footprint replace(Footprint there, ArrayRef array, int site) {
        Footprint f = there;
        if (f != null && ++misses > table.length && table.length < MOST) {
            // Those that are left behind tell what they have to in time.
            misses = 0;
            table = new Footprint[table.length * 4];
            f = null;
        }
        if (f == null) {
            f = new Footprint(tid, write);
            table[bucket(array.hash, site)] = f;
        }
        f.tell(all);
        f.become(array, site);
        return f;
    }

    /** See {@link IdentityRef#letGo}; one in which something is noted by now is among those that are told of later. */
    void letGo() {
        Footprint[] all = table;
        for (int i = 0; i < all.length; i++) {
            Footprint f = all[i];
            if (f != null && f.isOver()) {
                all[i] = null;
            }
        }
        int first = place(tid, 0, write);
        for (int i = first; i < first + SITES; i++) {
            if (LATEST[i].tid == tid && LATEST[i].isOver()) {
                LATEST[i] = Footprint.NONE;
            }
        }
    }

    /** The thread has ended. */
    static void forget(long tid) {
        for (int i = 0; i < 2 * SITES; i++) {
            int place = place(tid, 0, false) + i;
            if (LATEST[place].tid == tid) {
                LATEST[place] = Footprint.NONE;
            }
        }
    }
}
