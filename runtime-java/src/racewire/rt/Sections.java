package racewire.rt;

import java.util.Arrays;

/**
 * A thread's critical sections, for high-level data races: each access under a lock takes the slow path and leaves its
 * site with the locks that are held ({@link ThreadState#touch}); when a lock is given back, the library is told of what
 * was touched under it, unless it knows.
 */
final class Sections {
    /** Critical sections are looked into. */
    static final boolean ON = !Monitoring.SHARING && Options.detects("views");

    /** Nobody else looks at accesses. */
    static final boolean ALONE = ON && Options.accessDetector().equals("views");

    /** So often the same sites give their stack, whatever the lock: it costs more than all the rest. */
    private static final int STACKS = 16;

    private final ThreadState me;
    /** Those that have been told of, by locks, sites and what the thread knew of the others' time. */
    private final Memo told = new Memo(8, 1 << 14);
    /** How often stacks were given, by sites. */
    private final Memo looked = new Memo(8, 1 << 10);

    Sections(ThreadState me) {
        this.me = me;
    }

    /** The lock is given back: what was touched meanwhile belongs together. */
    void ended(HeldLock h) {
        if (h.touchedCount == 0 || me.ref(h) == null) {
            return;
        }
        long key = 0;
        for (int i = 0; i < h.touchedCount; i++) {
            long mixed = (h.touched[i] + 1L) * 0x9E3779B97F4A7C15L;
            key += mixed ^ mixed >>> 29;
        }
        long sites = key;
        int others = 0;
        for (int at = 1; at <= me.depth(); at++) {
            if (isOther(me.level(at), h)) {
                key = key * 31 + me.code(me.level(at));
                others++;
            }
        }
        Clock clock = me.clock;
        long version = clock.hardVersion() << 32 | h.code + 1L;
        if (told.get(key, version) != Memo.MISS) {
            return;
        }
        told.put(key, version, 0);
        clock.mark();
        int[] outer = new int[others];
        for (int at = me.depth(); at > 0; at--) {
            if (isOther(me.level(at), h)) {
                outer[--others] = me.code(me.level(at));
            }
        }
        Native.section(me.id(), h.code, outer, Arrays.copyOf(h.touched, h.touchedCount), clock.slot,
                (int) clock.time(), clock.hardTimes(), stack(sites));
    }

    private String[] stack(long sites) {
        long before = Math.max(0, looked.get(sites, 1));
        if (before >= STACKS) {
            return Stacks.NONE;
        }
        looked.put(sites, 1, before + 1);
        return Stacks.capture();
    }

    private static boolean isOther(HeldLock held, HeldLock ended) {
        return held != ended && !held.again;
    }
}
