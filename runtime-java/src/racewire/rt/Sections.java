package racewire.rt;

import java.util.Arrays;

/**
 * A thread's critical sections, for high-level data races: the first access to a variable under a lock takes the slow path
 * and leaves its site with the locks that are held ({@link ThreadState#touch}); when a lock is given back, the library is
 * told of what was touched under it, unless it knows ({@link KnownSections}).
 */
final class Sections {
    /** Critical sections are looked into. */
    static final boolean ON = !Monitoring.SHARING && Options.detects("views");

    /** Nobody else looks at accesses. */
    static final boolean ALONE = ON && Options.accessDetector().equals("views");

    /** So often the same sites give their stack, whatever the lock: it costs more than all the rest. */
    private static final int STACKS = 16;

    private static final int FIRST_LATELY = 8;
    private static final int MOST_LATELY = 1 << 10;
    private static final int MOST_KNOWN = 512;

    private final ThreadState me;
    /** Those met lately, by lock and sites. */
    private KnownSections[] lately = new KnownSections[FIRST_LATELY];
    private int misses;
    /** How many of them were made. */
    private int made;
    /** Those of which nothing else is kept. */
    private final LongSet told = new LongSet(1 << 17);
    /** How often stacks were given, by sites. */
    private final Memo looked = new Memo(8, 1 << 10);

    Sections(ThreadState me) {
        this.me = me;
    }

    /** The lock is about to be given back: what was touched meanwhile belongs together. */
    void ended(HeldLock h) {
        LockRef ref = h.touchedCount == 0 ? null : me.ref(h);
        if (ref == null) {
            return;
        }
        boolean isTold;
        if (h.shared) {
            synchronized (ref.sections()) {
                isTold = ended(h, ref.sections());
            }
        } else {
            isTold = ended(h, ref.sections());
        }
        h.forgetTouched();
        if (isTold) {
            Exit.atFinding();
        }
    }

    private boolean ended(HeldLock h, LockSections all) {
        if (made >= MOST_KNOWN) {
            return endedAmongMany(h, all);
        }
        long outer = 0;
        for (int at = me.depth(); at > 0; at--) {
            if (h.isInside(me.level(at))) {
                outer = outer * 31 + me.code(me.level(at)) + 1;
            }
        }
        Clock clock = me.clock;
        clock.mark();
        KnownSections known = known(h, all);
        KnownSections.Latest news = known.ended(me, h, outer, clock.time(), clock.hard());
        if (news == null) {
            return false;
        }
        if (known.tell(h.code, news, stack(h.touchedKey))) {
            all.stir(h.code);
            news.version = all.version;
        }
        return true;
    }

    /** The same for a thread that comes to so many locks that no more is kept of its sections than that they were told. */
    private boolean endedAmongMany(HeldLock h, LockSections all) {
        boolean hasOuter = false;
        for (int at = me.depth(); at > 0 && !hasOuter; at--) {
            hasOuter = h.isInside(me.level(at));
        }
        long key = (h.touchedKey + (hasOuter ? 1 : 0)) * 31 + ((long) all.version << 32 | h.code);
        if (!told.add(key)) {
            return false;
        }
        Clock clock = me.clock;
        clock.mark();
        boolean stirs = Native.section(me.id(), h.code, KnownSections.outer(me, h, KnownSections.ALONE),
                Arrays.copyOf(h.touched, h.touchedCount), clock.slot, (int) clock.time(), clock.hardTimes(),
                stack(h.touchedKey));
        if (stirs) {
            all.stir(h.code);
        }
        return true;
    }

    private KnownSections known(HeldLock h, LockSections all) {
        int at = (int) ((h.touchedKey + h.code) * 0x9E3779B97F4A7C15L >>> 40) & lately.length - 1;
        KnownSections known = lately[at];
        if (known != null && known.of == all && known.sites == h.touchedKey) {
            return known;
        }
        known = all.find(me.id(), h.touchedKey);
        if (known == null) {
            known = new KnownSections(all, me.id(), me.clock.slot, h.touchedKey,
                    Arrays.copyOf(h.touched, h.touchedCount));
            all.add(known);
            made++;
        }
        if (++misses > lately.length && lately.length < MOST_LATELY) {
            // The others come back at the price of a search each.
            lately = new KnownSections[lately.length * 4];
            misses = 0;
        } else {
            lately[at] = known;
        }
        return known;
    }

    private String[] stack(long sites) {
        long before = Math.max(0, looked.get(sites, 1));
        if (before >= STACKS) {
            return Stacks.NONE;
        }
        looked.put(sites, 1, before + 1);
        return Stacks.capture();
    }
}
