package racewire.rt;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The sites of a class as findings see them: where their variables are, and what of all that accesses met is told, and how. */
abstract class SiteFindings {
    /** The ids of sites whose accesses are atomic: no two of them race. */
    static final Set<Integer> ATOMIC = ConcurrentHashMap.newKeySet();

    final Class<?> user;
    final SiteTable table;
    /** The one site here stands for accesses that are atomic. */
    final boolean isAtomic;
    /** Global id of site 0; -1 if there is no table to speak of. */
    final int base;
    final int[] fieldOfSite;
    final boolean[] writes;
    final String[] owners;
    final String[] names;
    final boolean[] isStatic;
    /** Not a field but the elements of arrays. */
    final boolean[] isElements;
    /** Filled as fields are first met. Racing threads find the same places, safely published by final fields. */
    final WordPlace[] places;

    SiteFindings(Class<?> user, SiteTable table, boolean isAtomic, int base) {
        this.user = user;
        this.table = table;
        this.isAtomic = isAtomic;
        this.base = base;
        fieldOfSite = table.fieldOfSite;
        writes = table.writes;
        owners = table.owners;
        names = table.names;
        isStatic = table.isStatic;
        isElements = table.isElements;
        places = new WordPlace[names.length];
    }

    int id(int site) {
        return base + Epochs.index(site);
    }

    void tellRaces(ThreadState me, Object owner, WordPlace place, int index) {
        Encounter.Accesses races = me.met.races;
        for (int i = 0; i < races.count; i++) {
            race(me, RacePairs.CERTAIN, races, i, siteOf(races.stamp(i), place), index, owner);
        }
    }

    /** Those that are ordered by chance and have no lock in common. */
    void tellChances(ThreadState me, Object owner, WordPlace place, int index, int locks) {
        Encounter.Accesses chances = me.met.chances;
        long mine = CommonLocks.of(locks, writes[index]);
        for (int i = 0; i < chances.count; i++) {
            if (!me.commonLocks.protect(chances.locks(i), mine)) {
                race(me, RacePairs.POTENTIAL, chances, i, siteOf(chances.stamp(i), place), index, owner);
            }
        }
    }

    /** The id of the site of an earlier access to the same field. */
    private static int siteOf(long stamp, WordPlace place) {
        return place.sites.id(Stamps.ordinal(stamp));
    }

    /** The {@code nth} access that was met, at the site {@code earlier}. */
    void race(ThreadState me, RacePairs pairs, Encounter.Accesses met, int nth, int earlier, int index, Object owner) {
        tell(me, pairs, met, nth, earlier, index, owner, 0, null);
    }

    /** The same, in a known epoch if it is not 0, and with this stack if it is not null. */
    private void tell(ThreadState me, RacePairs pairs, Encounter.Accesses met, int nth, int earlier, int index, Object owner,
            int knownEpoch, String[] knownStack) {
        int id = base + index;
        if (Frozen.ON && !Trace.ON && me != null && !writes[index]) {
            hear(me, met, nth, index, owner);
        }
        if (earlier < 0 || isAtomic && ATOMIC.contains(earlier) || !pairs.isWorthTelling(earlier, id)
                || pairs == RacePairs.POTENTIAL && met.wasKeptFirst(nth, earlier)
                || Frozen.ON && !Trace.ON && me != null && isByFinalField(me, pairs, met, nth, index, owner)
                || !pairs.worthTelling(earlier, id)) {
            return;
        }
        long stamp = met.stamp(nth);
        int epoch = knownEpoch != 0 ? knownEpoch : Epochs.id(me.epochFor(owner));
        int locks = CommonLocks.locks(met.locks(nth));
        int element = met.element(nth);
        String name = name(owner, fieldOfSite[index]);
        String[] stack = knownStack != null ? knownStack : Stacks.capture();
        int thread = Slots.thread(stamp);
        if (!Optimistic.used || me != null
                && !Optimistic.holdBack(me, stamp,
                        () -> tell(pairs, epoch, id, thread, earlier, locks, element, name, stack))) {
            tell(pairs, epoch, id, thread, earlier, locks, element, name, stack);
        }
    }

    /** A reference that was read though another thread had written it without order. */
    private void hear(ThreadState me, Encounter.Accesses met, int nth, int index, Object owner) {
        int field = fieldOfSite[index];
        Object value = null;
        if (isElements[field]) {
            int element = met.element(nth);
            value = owner instanceof Object[] && element >= 0 ? ((Object[]) owner)[element] : null;
        } else if (!table.isState(field)) {
            value = place(field, owner).value(owner, table, field);
        }
        if (value != null) {
            if (me.heard == null) {
                me.heard = new Heard();
            }
            me.heard.of(value, met.stamp(nth));
        }
    }

    /**
     * In a recorded run: whether all that a read met, under these locks, is seen by way of a final field. A trace has no heap, so
     * it is told with the read. {@code place}: null for elements.
     */
    boolean isFrozen(ThreadState me, Encounter met, WordPlace place, int index, Object owner, int locks) {
        if (!Frozen.ON || writes[index] || isAtomic || met.isEmpty() || me.optimistic != null && !me.optimistic.isEmpty()) {
            return false;
        }
        boolean any = false;
        boolean all = true;
        for (Encounter.Accesses some : new Encounter.Accesses[] {met.races, met.chances}) {
            RacePairs pairs = some == met.races ? RacePairs.CERTAIN : RacePairs.POTENTIAL;
            for (int i = 0; i < some.count; i++) {
                int earlier = place == null ? some.site(i) : siteOf(some.stamp(i), place);
                if (some == met.races || !me.commonLocks.protect(some.locks(i), CommonLocks.of(locks, false))) {
                    hear(me, some, i, index, owner);
                    if (earlier < 0 || !pairs.isWorthTelling(earlier, base + index)) {
                        continue;
                    }
                    any = true;
                    all &= isByFinalField(me, pairs, some, i, index, owner);
                }
            }
        }
        return any && all;
    }

    /** Whether what was written is seen by way of a final field (JLS 17.5.1, which is about writes and reads that follow). */
    private boolean isByFinalField(ThreadState me, RacePairs pairs, Encounter.Accesses met, int nth, int index, Object owner) {
        return me.heard != null && owner != null && !writes[index] && CommonLocks.isWrite(met.locks(nth))
                && me.heard.explains(owner, met.stamp(nth), pairs == RacePairs.POTENTIAL);
    }

    private static void tell(RacePairs pairs, int epoch, int id, int earlierThread, int earlier, int earlierLocks,
            int element, String name, String[] stack) {
        int[] suspects = Native.race(pairs == RacePairs.POTENTIAL, epoch, id, earlierThread, earlier, earlierLocks,
                element, name, stack);
        if (suspects == null) {
            pairs.told(earlier, id);
        }
        WantedStacks.want(suspects);
    }

    /** The owner of a variable at the site with this id. */
    String ownerName(Object owner, int id) {
        return name(owner, fieldOfSite[id - base]);
    }

    private String name(Object owner, int field) {
        return owner == null ? owners[field] : LockIdentity.describe(owner, System.identityHashCode(owner));
    }

    WordPlace place(int field, Object owner) {
        WordPlace place = places[field];
        if (place == null) {
            place = table.isState(field) ? WordPlace.OF_CONTAINER
                    : isStatic[field] ? WordPlace.inClass(user, owners[field], names[field], "J")
                    : WordPlace.inInstance(owner, owners[field], names[field], "J");
            places[field] = place;
        }
        return place;
    }

    /**
     * What accesses at this site met that are told of only now. Their stacks are gone, but as a rule their thread has not
     * left the method yet. {@code who}: null if it goes on.
     */
    void tellLate(ThreadState who, Encounter met, int epoch, int site, Object array) {
        if (!met.isEmpty()) {
            tellMet(who, met, epoch, Epochs.index(site), array);
        }
    }

    private void tellMet(ThreadState who, Encounter met, int epoch, int index, Object array) {
        if (OutOfLine.NEVER) {
            OutOfLine.fill(999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999,
                    999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999);
        }
        boolean isHere = who != null && who.get() == Thread.currentThread();
        String[] stack = isHere ? table.stack(index, user) : Stacks.NONE;
        for (int i = 0; i < met.races.count; i++) {
            tell(who, RacePairs.CERTAIN, met.races, i, met.races.site(i), index, array, epoch, stack);
        }
        for (int i = 0; i < met.chances.count; i++) {
            tell(who, RacePairs.POTENTIAL, met.chances, i, met.chances.site(i), index, array, epoch, stack);
        }
    }
}
