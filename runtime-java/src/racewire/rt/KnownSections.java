package racewire.rt;

import java.util.Arrays;

/**
 * Critical sections of one thread under one lock in which the same places were touched; with other locks around them, they
 * are told apart. The first is told to the native library at once. Of the others it mostly need not know, but may come to
 * want the last one before something and the first one after it: see crate {@code detectors}, module {@code views}.
 */
final class KnownSections {
    /** Of so many sets of locks around them; the latest goes for a further one. */
    private static final int MOST = 4;

    static final int[] ALONE = new int[0];

    final LockSections of;
    final int thread;
    private final int slot;
    /** {@link HeldLock#touchedKey}. */
    final long sites;
    private final int[] touched;
    /** In {@link #of}. */
    KnownSections next;

    /** By their outer locks: a key for these, and what is known. */
    private long[] outers = new long[1];
    private Latest[] latest = new Latest[1];
    private int count;

    /** The latest such section. */
    static final class Latest {
        private int[] outer = ALONE;
        private long time;
        private long[] hard;
        /** The library knows of it. */
        private boolean told;
        /** Of the lock's sections when one was last told. */
        int version;
    }

    KnownSections(LockSections of, int thread, int slot, long sites, int[] touched) {
        this.of = of;
        this.thread = thread;
        this.slot = slot;
        this.sites = sites;
        this.touched = touched;
    }

    /** One more of them has ended at this time; null if it need not be told. */
    Latest ended(ThreadState me, HeldLock lock, long outer, long time, long[] hard) {
        Latest known = null;
        for (int i = count - 1; i >= 0; i--) {
            if (outers[i] == outer) {
                known = latest[i];
            }
        }
        boolean isNew = known == null && count < MOST;
        if (known == null) {
            known = isNew ? add() : latest[MOST - 1];
            outers[count - 1] = outer;
            known.outer = outer(me, lock, known.outer);
        }
        known.time = time;
        known.hard = hard;
        known.told = isNew || known.version != of.version;
        known.version = of.version;
        return known.told ? known : null;
    }

    private Latest add() {
        if (count == latest.length) {
            outers = Arrays.copyOf(outers, MOST);
            latest = Arrays.copyOf(latest, MOST);
        }
        latest[count] = new Latest();
        return latest[count++];
    }

    /** The locks that are held besides; in {@code reused} if that fits. */
    static int[] outer(ThreadState me, HeldLock lock, int[] reused) {
        int others = 0;
        for (int at = me.depth(); at > 0; at--) {
            others += lock.isInside(me.level(at)) ? 1 : 0;
        }
        int[] outer = reused.length == others ? reused : new int[others];
        for (int at = me.depth(); at > 0; at--) {
            if (lock.isInside(me.level(at))) {
                outer[--others] = me.code(me.level(at));
            }
        }
        return outer;
    }

    /** Tells of those that the library does not know; whether that takes more to know. */
    boolean tellLatest(int lockCode) {
        boolean more = false;
        for (int i = 0; i < count; i++) {
            if (!latest[i].told) {
                latest[i].told = true;
                more |= tell(lockCode, latest[i], Stacks.NONE);
            }
        }
        return more;
    }

    boolean tell(int lockCode, Latest section, String[] stack) {
        return Native.section(thread, lockCode, section.outer, touched, slot, (int) section.time,
                Clock.times(section.hard), stack);
    }
}
