package racewire.rt;

import java.lang.invoke.MethodHandles;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The sites of one woven class, from the {@link SiteTable} in its constant pool, and what is done at an access there. The
 * native library keeps text only.
 */
public final class Sites extends SiteFindings {
    /**
     * The table of each class, where it lives and dies with the class. Not in a static field of the class itself:
     * reading that would wait for the class's initialiser where the class's own instance methods do not.
     */
    private static final ClassValue<Sites[]> TABLES = new ClassValue<Sites[]>() {
        @Override
        protected Sites[] computeValue(Class<?> type) {
            return new Sites[1];
        }
    };

    /** By the class that declares a field: the sites that reach it by name or handle, by their ids; see {@link #reaching}. */
    private static final ClassValue<ConcurrentHashMap<FieldKey, ConcurrentHashMap<Integer, Sites>>> REACHING =
            new ClassValue<ConcurrentHashMap<FieldKey, ConcurrentHashMap<Integer, Sites>>>() {
                @Override
                protected ConcurrentHashMap<FieldKey, ConcurrentHashMap<Integer, Sites>> computeValue(Class<?> type) {
                    return new ConcurrentHashMap<>();
                }
            };

    /** The ordinal of the one site here, where it was given out at run time. */
    private int reserved;
    /** What others did is looked at: not if a value is read only to make the field's next one of it. */
    private final boolean[] observes;
    /** By index, filled as sites are first come to; null where they take no shorter way. */
    private final FieldSite[] fieldSites;

    /** The class's table if it has been registered. */
    public static Sites of(Class<?> user) {
        return TABLES.get(user)[0];
    }

    /** Of a class for whose table there was not enough stack or memory: the next access may find some. */
    private static final Sites NOTHING_YET = new Sites(Sites.class);

    /** Registers a class's table, once; never null, never throws. */
    public static Sites register(Class<?> user, String table) {
        try {
            return registered(user, table);
        } catch (VirtualMachineError notNow) {
            return NOTHING_YET;
        }
    }

    private static Sites registered(Class<?> user, String table) {
        Sites[] cell = TABLES.get(user);
        synchronized (cell) {
            if (cell[0] == null) {
                cell[0] = read(user, table);
            }
            return cell[0];
        }
    }

    /**
     * The same as a constant of the class. It throws where there is not enough stack or memory, as whoever makes it does:
     * HotSpot then tries again, the next time (what it gave back would stay the constant, JVMS 5.4.3.6).
     */
    public static Sites constant(MethodHandles.Lookup user, String name, Class<?> type, String table) {
        return registered(user.lookupClass(), table);
    }

    private static Sites read(Class<?> user, String table) {
        try {
            SiteTable taken = new SiteTable(table);
            Walkers.know(user, taken);
            return new Sites(user, taken, false);
        } catch (VirtualMachineError notNow) {
            throw notNow;
        } catch (Throwable e) {
            Stderr.line("bad site table in " + user.getName() + " (" + e + "); its accesses are not monitored");
            return new Sites(user);
        }
    }

    /** With nothing to look at. */
    private Sites(Class<?> user) {
        this(user, SiteTable.NONE, false, -1);
    }

    private Sites(Class<?> user, SiteTable table, boolean isAtomic) {
        this(user, table, isAtomic, register(user, table));
    }

    private Sites(Class<?> user, SiteTable table, boolean isAtomic, int base) {
        super(user, table, isAtomic, base);
        observes = table.observes;
        fieldSites = new FieldSite[fieldOfSite.length];
        for (int i = 0; Order.ON && i < names.length; i++) {
            if (table.isState(i) && owners[i].equals("java.util.Map$Entry")) {
                Views.entriesMatter();
            }
        }
    }

    /** The global id of site 0; -1 if its accesses are not monitored. */
    private static int register(Class<?> user, SiteTable table) {
        boolean monitored = Hooks.ON && Monitoring.accepts(table.validFor);
        int base = monitored ? Native.register(table.text) : -1;
        if (!monitored) {
            Monitoring.refuse(user.getName(), table.validFor);
        } else if (base < 0) {
            Monitoring.checkTrouble();
            throw new IllegalArgumentException("refused by the native library");
        }
        WantedStacks.makeRoom(base + table.sites());
        return base;
    }

    /** The site if it takes the shorter way: it accesses a field or a container, and has done so before. */
    FieldSite known(int site) {
        int index = Epochs.index(site);
        return index < fieldSites.length ? fieldSites[index] : null;
    }

    /**
     * One access that the fast path did not recognise; {@code owner} is null for a static field, and a {@link Part} for
     * elements that a call accesses.
     */
    void access(ThreadState me, Object owner, int site) {
        if (OutOfLine.NEVER) {
            OutOfLine.fill(999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999,
                    999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999);
        }
        int index = Epochs.index(site);
        if (index >= fieldOfSite.length) {
            return;
        }
        if (owner instanceof Part) {
            OutOfLine.inArray(this, me, ((Part) owner).array, (Part) owner, site);
            return;
        }
        int field = fieldOfSite[index];
        if (isElements[field]) {
            OutOfLine.inArray(this, me, owner, me.arrays().slowly(me.element), site);
            return;
        }
        if (Sections.ON) {
            me.touch(base + index);
            if (Sections.ALONE) {
                return;
            }
        }
        WordPlace place = place(field, owner);
        if (place == WordPlace.NOWHERE) {
            return;
        }
        if (Counts.ON) {
            Counts.ACCESSES.increment();
        }
        if (me.awaited != null && Order.ON && owner instanceof Throwable) {
            Tasks.asked(me);
        }
        int ordinal = place == WordPlace.OF_CONTAINER ? StateOrdinals.of(base + index) : Epochs.ordinal(site);
        Object holder = place == WordPlace.OF_CONTAINER ? me.state(owner) : place.base == null ? owner : place.base;
        if (Trace.ON) {
            synchronized (Trace.turn(holder)) {
                takeIn(me, owner, holder, place, index, ordinal);
            }
        } else {
            takeIn(me, owner, holder, place, index, ordinal);
        }
    }

    private void takeIn(ThreadState me, Object owner, Object holder, WordPlace place, int index, int ordinal) {
        if (Order.ON && place.hasStamps) {
            inOrder(me, owner, holder, place, index, ordinal);
        } else {
            if (Trace.ON) {
                Trace.access(me, traced(owner, holder, place), base + index, false, false);
            }
            if (!Order.ON) {
                LockSteps.step(me, this, base + index, owner, holder, place, ordinal);
            }
        }
        if (FieldSite.USED && (!Order.ON || place.hasStamps)) {
            fieldSites[index] = new FieldSite(this, place, index, base + index, ordinal, writes[index], observes[index]);
        }
    }

    /** Whose variable it is in a trace. */
    private static Object traced(Object owner, Object holder, WordPlace place) {
        return place == WordPlace.OF_CONTAINER ? owner : holder;
    }

    /**
     * The site, which is a call, as one that accesses this field, or elements of such arrays: a table of its own, since
     * only the call knows which. Lives and dies with the class that declares the field.
     */
    Sites reaching(int site, Class<?> declaring, FieldKey field, boolean atomic) {
        int index = Epochs.index(site);
        ConcurrentHashMap<Integer, Sites> sites = REACHING.get(declaring).get(field);
        Sites known = sites == null ? null : sites.get(base + index);
        if (known != null || base < 0 || index >= fieldOfSite.length) {
            return known;
        }
        REACHING.get(declaring).putIfAbsent(field, new ConcurrentHashMap<>());
        sites = REACHING.get(declaring).get(field);
        synchronized (sites) {
            known = sites.get(base + index);
            if (known == null) {
                known = makeReaching(index, declaring, field, atomic);
                sites.put(base + index, known);
            }
            return known;
        }
    }

    private Sites makeReaching(int index, Class<?> declaring, FieldKey field, boolean atomic) {
        try {
            Sites made = new Sites(declaring, new SiteTable(table.reaching(index, declaring, field)), atomic);
            if (field != FieldKey.ELEMENTS) {
                made.reserved = FieldSites.of(declaring, field.field).reserve(made.base);
            }
            if (atomic) {
                ATOMIC.add(made.base);
            }
            return made;
        } catch (RuntimeException refused) {
            return new Sites(declaring);
        }
    }

    /**
     * An access by name or handle, at the one site of a table made by {@link #reaching}.
     *
     * @param lookOnly the access is not kept
     */
    void reach(ThreadState me, Object owner, int element, boolean lookOnly) {
        if (base < 0) {
            return;
        }
        if (isElements[0]) {
            if (!lookOnly) {
                elements(me, arrayRef(owner), element, element + 1, 1, 0);
            }
            return;
        }
        WordPlace place = place(0, owner);
        Object holder = place.base == null ? owner : place.base;
        if (place == WordPlace.NOWHERE || !place.hasStamps || holder == null) {
            return;
        }
        if (Trace.ON) {
            synchronized (Trace.turn(holder)) {
                reach(me, owner, holder, place, lookOnly);
            }
        } else {
            reach(me, owner, holder, place, lookOnly);
        }
    }

    private void reach(ThreadState me, Object owner, Object holder, WordPlace place, boolean lookOnly) {
        Object shown = isStatic[0] ? null : owner;
        // A plain access of this moment races with more.
        boolean passing = isAtomic && (lookOnly
                || !ThreadTable.isElsewhen(Mem.M.getLong(holder, writes[0] ? place.writes : place.reads)));
        if (!isAtomic) {
            inOrder(me, shown, holder, place, 0, reserved);
            return;
        }
        if (Trace.ON) {
            Trace.access(me, holder, base, true, passing);
        }
        // Lock sets say nothing of variables that are used atomically.
        if (passing) {
            Order.look(me, holder, place, writes[0]);
        } else {
            Order.access(me, holder, place, writes[0], false, reserved, LockSets.UNKNOWN);
        }
        tellRaces(me, shown, place, 0);
    }

    /** An instruction accesses an element: from the second one of this array, site and moment on they are noted. */
    void element(ThreadState me, ArrayRef ref, Object array, int element, int site) {
        if (OutOfLine.NEVER) {
            OutOfLine.fill(999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999,
                    999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999);
        }
        if (base < 0 || element < 0 || element >= ref.length) {
            // Hooks stand before accesses: what is not there will throw.
            return;
        }
        int index = Epochs.index(site);
        if (Trace.ON || Counts.ON) {
            elements(me, ref, element, element + 1, 1, index);
            return;
        }
        ArrayAccesses arrays = me.arrays();
        boolean write = writes[index];
        begin(me, array, index);
        boolean again = ref.access(arrays, element, write, base + index);
        end(me, array, index);
        if (again && ref.isWorthNoting() && (write || me.observesNothing())) {
            Footprint footprint = (write ? arrays.writes : arrays.reads).of(ref, site, user);
            if (footprint.isEmpty()) {
                footprint.begin(this, user, Epochs.id(me.epochFor(array)), arrays.met.locks(), new Walk(element));
                arrays.await(footprint);
            } else {
                footprint.add(element);
            }
        }
    }

    /** The same for a loop or a call, and where the class had to register. */
    void element(ThreadState me, Object array, Walk walk, int site) {
        if (base < 0) {
            return;
        }
        int index = Epochs.index(site);
        ArrayAccesses arrays = me.arrays();
        Footprint footprint = (writes[index] ? arrays.writes : arrays.reads).of(arrayRef(array), site, user);
        if (!footprint.isEmpty()) {
            footprint.addAll(walk);
            return;
        }
        boolean atOnce = Walk.isRegular(walk.distance) && !(Trace.ON && walk.distance > 1);
        Walk first = atOnce ? walk : new Walk(walk.low);
        elements(me, footprint.ref, first.low, first.high + 1, first.distance, index);
        boolean isAgain = footprint.isToldAgain(me.clock.stamp());
        if ((isAgain || !atOnce) && !Counts.ON && !Trace.ON && (writes[index] || me.observesNothing())) {
            footprint.begin(this, user, Epochs.id(me.epochFor(array)), arrays.met.locks(), first);
            if (!atOnce) {
                footprint.addAll(walk);
            }
            arrays.await(footprint);
        } else if (!atOnce) {
            for (long i = (long) walk.low + walk.distance; i <= walk.high; i += walk.distance) {
                elements(me, footprint.ref, (int) i, (int) i + 1, 1, index);
            }
        }
    }

    private static ArrayRef arrayRef(Object array) {
        return ArrayRef.ALL.of(array, System.identityHashCode(array));
    }

    /** Elements {@code from} to {@code to} (exclusive) of an array are accessed, so far apart. */
    private void elements(ThreadState me, ArrayRef ref, int from, int to, int distance, int index) {
        if (base < 0) {
            return;
        }
        if (Counts.ON) {
            Counts.ACCESSES.increment();
            Counts.SLOW.increment();
        }
        Object array = ref.get();
        int id = base + index;
        ArrayAccesses arrays = me.arrays();
        begin(me, array, index);
        if (Trace.ON) {
            synchronized (Trace.turn(array)) {
                ref.access(arrays, from, to, distance, writes[index], id);
                // Hooks stand before accesses: what is not there will throw.
                int end = Math.min(to, ref.length);
                if (to - from == 1 && Math.max(from, 0) < end && isFrozen(me, arrays.met, null, index, array, LockSets.NONE)) {
                    Trace.frozenElement(me, array, from, id);
                    arrays.met.begin();
                } else if (Math.max(from, 0) < end) {
                    Trace.elements(me, array, Math.max(from, 0), end, id, isAtomic);
                }
            }
        } else {
            ref.access(arrays, from, to, distance, writes[index], id);
        }
        end(me, array, index);
    }

    /** Elements are about to be accessed. */
    private void begin(ThreadState me, Object array, int index) {
        me.stampNow();
        if (Order.HYBRID && !isAtomic) {
            Looks.came(me, base + index);
        }
        // Lock sets say nothing of variables that are used atomically.
        int locks = Order.HYBRID && !isAtomic ? me.locksFor(array) : LockSets.UNKNOWN;
        me.arrays().met.begin(me.commonLocks, locks, writes[index]);
    }

    /** Tells of what they met. */
    private void end(ThreadState me, Object array, int index) {
        Encounter met = me.arrays().met;
        if (!met.isEmpty()) {
            tellMet(me, met, index, array);
        }
        WantedStacks.give(me, base + index, array);
        if (met.hasProtected() && observes[index] && !isAtomic) {
            me.relyOnLocks();
        }
    }

    private void tellMet(ThreadState me, Encounter met, int index, Object array) {
        if (OutOfLine.NEVER) {
            OutOfLine.fill(999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999,
                    999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999);
        }
        for (int i = 0; i < met.races.count; i++) {
            race(me, RacePairs.CERTAIN, met.races, i, met.races.site(i), index, array);
        }
        for (int i = 0; i < met.chances.count; i++) {
            race(me, RacePairs.POTENTIAL, met.chances, i, met.chances.site(i), index, array);
        }
    }

    /** Happens-before, and lock sets where that leaves the order to chance. */
    private void inOrder(ThreadState me, Object owner, Object holder, WordPlace place, int index, int ordinal) {
        if (place.sites.learn(ordinal, base + index) && place != WordPlace.OF_CONTAINER) {
            Native.touched(base + index, Epochs.id(me.epochFor(owner)));
        }
        boolean write = writes[index];
        if (Counts.ON && me.isNews(Mem.M.getLong(holder, write ? place.writes : place.reads))) {
            Counts.SLOW.increment();
        }
        int locks = me.locksFor(owner);
        if (Order.HYBRID) {
            Looks.came(me, base + index);
        }
        inOrder(me, owner, holder, place, index, ordinal, locks);
        WantedStacks.give(me, base + index, owner);
    }

    /** The same under these locks. */
    void inOrder(ThreadState me, Object owner, Object holder, WordPlace place, int index, int ordinal, int locks) {
        if (OutOfLine.NEVER) {
            OutOfLine.fill(999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999,
                    999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999);
        }
        Order.access(me, holder, place, writes[index], observes[index], ordinal, locks);
        if (Trace.ON) {
            Object traced = traced(owner, holder, place);
            if (isFrozen(me, me.met, place, index, owner, locks)) {
                Trace.frozenAccess(me, traced, base + index);
                me.met.begin();
            } else {
                Trace.access(me, traced, base + index, false, false);
            }
        }
        if (!me.met.isEmpty()) {
            tellRaces(me, owner, place, index);
            tellChances(me, owner, place, index, locks);
        }
    }
}
