package racewire.rt;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The sites of one woven class, from the table in its constant pool (the text form is that of crate
 * {@code model}, module {@code sites}). The native library keeps text only.
 */
public final class Sites {
    /** How many stacks of one site are worth their cost once the site is under suspicion. */
    private static final byte STACKS_PER_SITE = 32;

    /** Columns of the header. */
    private static final int VALID_FOR = 3;
    /** Columns of a site. */
    private static final int SITE_FIELD = 3;
    private static final int SITE_KIND = 4;

    /** Java makes the first steps itself only where the detector's machine is known to make the same. */
    static final boolean FIRST_STEPS = !Trace.ON && (Monitoring.SHARING || Order.ON || Options.detects("racer"));

    /** By global site id: how many more stacks are wanted; a wish may get lost. No class is reachable from here. */
    private static volatile byte[] wanted = new byte[1024];

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

    /** By the class that declares a field: the sites that reach it by name or handle, see {@link #reaching}. */
    private static final ClassValue<ConcurrentHashMap<String, Sites>> REACHING =
            new ClassValue<ConcurrentHashMap<String, Sites>>() {
                @Override
                protected ConcurrentHashMap<String, Sites> computeValue(Class<?> type) {
                    return new ConcurrentHashMap<>();
                }
            };

    /** The ids of sites whose accesses are atomic: no two of them race. */
    private static final Set<Integer> ATOMIC = ConcurrentHashMap.newKeySet();

    private final Class<?> user;
    private final String table;
    /** The one site here stands for accesses that are atomic. */
    private final boolean isAtomic;
    /** The ordinal of the one site here, where it was given out at run time. */
    private int reserved;
    /** Global id of site 0; -1 if there is no table to speak of. */
    private final int base;
    private final int[] fieldOfSite;
    private final boolean[] writes;
    /** What others did is looked at: not if a value is read only to make the field's next one of it. */
    private final boolean[] observes;
    private final String[] owners;
    private final String[] names;
    private final boolean[] isStatic;
    /** Not a field but the elements of arrays. */
    private final boolean[] isElements;
    /** Filled as fields are first met. Racing threads find the same places, safely published by final fields. */
    private final WordPlace[] places;

    /** The class's table if it has been registered. */
    public static Sites of(Class<?> user) {
        return TABLES.get(user)[0];
    }

    /** Registers a class's table, once; never null, never throws. */
    public static Sites register(Class<?> user, String table) {
        Sites[] cell = TABLES.get(user);
        synchronized (cell) {
            if (cell[0] == null) {
                cell[0] = read(user, table);
            }
            return cell[0];
        }
    }

    private static Sites read(Class<?> user, String table) {
        try {
            return new Sites(user, table, false);
        } catch (Throwable e) {
            Stderr.line("bad site table in " + user.getName() + " (" + e + "); its accesses are not monitored");
            return new Sites(user);
        }
    }

    private Sites(Class<?> user) {
        this.user = user;
        table = "";
        isAtomic = false;
        base = -1;
        fieldOfSite = new int[0];
        writes = new boolean[0];
        observes = new boolean[0];
        owners = new String[0];
        names = new String[0];
        isStatic = new boolean[0];
        isElements = new boolean[0];
        places = new WordPlace[0];
    }

    private Sites(Class<?> user, String table, boolean isAtomic) {
        this.user = user;
        this.table = table;
        this.isAtomic = isAtomic;
        String[] header = table.substring(0, table.indexOf('\n')).split("\t", -1);
        String validFor = header[VALID_FOR];
        List<String[]> fields = new ArrayList<>();
        int[] siteFields = new int[16];
        char[] kinds = new char[16];
        int sites = 0;
        for (int from = 0; from < table.length();) {
            int end = table.indexOf('\n', from);
            end = end < 0 ? table.length() : end;
            char tag = table.charAt(from);
            if (tag == 'F') {
                fields.add(table.substring(from, end).split("\t", -1));
            } else if (tag == 'S') {
                if (sites == siteFields.length) {
                    siteFields = Arrays.copyOf(siteFields, sites * 2);
                    kinds = Arrays.copyOf(kinds, sites * 2);
                }
                String[] columns = table.substring(from, end).split("\t", -1);
                kinds[sites] = columns[SITE_KIND].charAt(0);
                siteFields[sites++] = Integer.parseInt(columns[SITE_FIELD]);
            }
            from = end + 1;
        }
        fieldOfSite = Arrays.copyOf(siteFields, sites);
        writes = new boolean[sites];
        observes = new boolean[sites];
        for (int i = 0; i < sites; i++) {
            writes[i] = kinds[i] == 'w' || kinds[i] == 'o';
            observes[i] = kinds[i] == 'r' || kinds[i] == 'o';
        }
        owners = new String[fields.size()];
        names = new String[fields.size()];
        isStatic = new boolean[fields.size()];
        isElements = new boolean[fields.size()];
        places = new WordPlace[fields.size()];
        for (int i = 0; i < owners.length; i++) {
            owners[i] = fields.get(i)[1].replace('/', '.');
            names[i] = fields.get(i)[2];
            isStatic[i] = fields.get(i)[4].equals("s");
            isElements[i] = names[i].equals(Names.ELEMENTS);
            if (Order.ON && names[i].equals(Names.STATE) && owners[i].equals("java.util.Map$Entry")) {
                Views.entriesMatter();
            }
        }
        boolean monitored = Hooks.ON && Monitoring.accepts(validFor);
        base = monitored ? Native.register(table) : -1;
        if (!monitored) {
            Monitoring.refuse(user.getName(), validFor);
        } else if (base < 0) {
            Monitoring.checkTrouble();
            throw new IllegalArgumentException("refused by the native library");
        }
        makeRoom(base + sites);
    }

    /**
     * One access that the fast path did not recognise; {@code owner} is null for a static field, and a {@link Part} for
     * elements that a call accesses.
     */
    void access(ThreadState me, Object owner, int site) {
        int index = Epochs.index(site);
        if (index >= fieldOfSite.length) {
            return;
        }
        int field = fieldOfSite[index];
        if (isElements[field]) {
            element(me, owner, me.element, site);
            return;
        }
        if (owner instanceof Part) {
            Part part = (Part) owner;
            elements(me, arrayRef(part.array), part.from, part.to, 1, index);
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
        int ordinal = place == WordPlace.CELL ? StateOrdinals.of(base + index) : Epochs.ordinal(site);
        Object holder = place == WordPlace.CELL ? me.sync(owner).cell() : place.base == null ? owner : place.base;
        if (Trace.ON) {
            synchronized (Trace.turn(holder)) {
                Trace.access(me, place == WordPlace.CELL ? owner : holder, base + index, false, false);
                takeIn(me, owner, holder, place, index, ordinal);
            }
        } else {
            takeIn(me, owner, holder, place, index, ordinal);
        }
    }

    private void takeIn(ThreadState me, Object owner, Object holder, WordPlace place, int index, int ordinal) {
        if (!Order.ON) {
            underLocks(me, owner, holder, place, index, ordinal);
        } else if (place.hasStamps) {
            inOrder(me, owner, holder, place, index, ordinal);
        }
    }

    /**
     * The site, which is a call, as one that accesses this field, or elements of such arrays: a table of its own, since
     * only the call knows which. Lives and dies with the class that declares the field.
     */
    Sites reaching(int site, Class<?> declaring, FieldKey field, boolean atomic) {
        int index = Epochs.index(site);
        ConcurrentHashMap<String, Sites> all = REACHING.get(declaring);
        String key = field.field + '\t' + (base + index);
        Sites known = all.get(key);
        if (known != null || base < 0 || index >= fieldOfSite.length) {
            return known;
        }
        synchronized (all) {
            known = all.get(key);
            if (known == null) {
                known = makeReaching(index, declaring, field, atomic);
                all.put(key, known);
            }
            return known;
        }
    }

    private Sites makeReaching(int index, Class<?> declaring, FieldKey field, boolean atomic) {
        String[] lines = table.split("\n");
        String site = nth(lines, 'S', index);
        String[] columns = site.split("\t", -1);
        boolean isElements = field == FieldKey.ELEMENTS;
        String owner = isElements ? arrays(declaring) : declaring.getName().replace('.', '/');
        String text = lines[0]
                + "\nF\t" + owner + '\t' + field.field + '\t' + (isElements ? owner.substring(1) : field.descriptor)
                + '\t' + (field.isStatic ? 's' : 'i') + '\t'
                + '\n' + nth(lines, 'M', Integer.parseInt(columns[1]))
                + "\nS\t0\t" + columns[2] + "\t0\t" + columns[SITE_KIND] + '\t' + Epochs.OVERFLOW_ORDINAL + '\n';
        try {
            Sites made = new Sites(declaring, text, atomic);
            if (!isElements) {
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

    /** What the weaver calls such arrays: instructions know of no more types (JVMS 6.5, aaload and baload). */
    private static String arrays(Class<?> type) {
        Class<?> element = type.getComponentType();
        return !element.isPrimitive() ? "[Ljava/lang/Object;" : element == boolean.class ? "[B" : type.getName();
    }

    private static String nth(String[] lines, char tag, int nth) {
        int left = nth;
        for (int i = 1; i < lines.length; i++) {
            if (lines[i].charAt(0) == tag && left-- == 0) {
                return lines[i];
            }
        }
        throw new IllegalArgumentException("no line " + nth + " of " + tag);
    }

    boolean isWrite(int site) {
        int index = Epochs.index(site);
        return index < writes.length && writes[index];
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
        if (Trace.ON) {
            Trace.access(me, holder, base, isAtomic, passing);
        }
        if (!isAtomic) {
            inOrder(me, shown, holder, place, 0, reserved);
            return;
        }
        // Lock sets say nothing of variables that are used atomically.
        if (passing) {
            Order.look(me, holder, place, writes[0]);
        } else {
            Order.access(me, holder, place, writes[0], false, reserved, LockSets.UNKNOWN);
        }
        tellRaces(me, shown, place, 0);
    }

    /** An instruction accesses an element, or a loop did: later ones of this array, site and moment are noted. */
    private void element(ThreadState me, Object array, int element, int site) {
        if (base < 0) {
            return;
        }
        int index = Epochs.index(site);
        ArrayAccesses arrays = me.arrays();
        Walk walk = arrays.slowly(element);
        Footprint footprint = (writes[index] ? arrays.writes : arrays.reads).of(array, site, user);
        if (!footprint.isEmpty()) {
            if (element == Walk.ELEMENTS) {
                footprint.add(walk);
            } else {
                footprint.add(element);
            }
            return;
        }
        boolean atOnce = Walk.isRegular(walk.distance) && !(Trace.ON && walk.distance > 1);
        Walk first = atOnce ? walk : new Walk(walk.low);
        elements(me, footprint.ref, first.low, first.high + 1, first.distance, index);
        if (!Counts.ON && !Trace.ON && (writes[index] || me.observesNothing())) {
            footprint.begin(this, user, Epochs.id(me.epochFor(array)), arrays.met.locks(), first);
            if (!atOnce) {
                footprint.add(walk);
            }
            arrays.await(footprint);
        } else if (!atOnce) {
            for (long i = (long) walk.low + walk.distance; i <= walk.high; i += walk.distance) {
                elements(me, footprint.ref, (int) i, (int) i + 1, 1, index);
            }
        }
    }

    private static ArrayRef arrayRef(Object array) {
        return ArrayTable.of(array, System.identityHashCode(array));
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
        me.stampNow();
        ArrayAccesses arrays = me.arrays();
        Encounter met = arrays.met;
        // Lock sets say nothing of variables that are used atomically.
        met.begin(me.commonLocks, Order.HYBRID && !isAtomic ? me.locksFor(array) : LockSets.UNKNOWN, writes[index]);
        if (Trace.ON) {
            synchronized (Trace.turn(array)) {
                // Hooks stand before accesses: what is not there will throw.
                int end = Math.min(to, ref.length);
                if (Math.max(from, 0) < end) {
                    Trace.elements(me, array, Math.max(from, 0), end, id, isAtomic);
                }
                ref.access(arrays, from, to, distance, writes[index], id);
            }
        } else {
            ref.access(arrays, from, to, distance, writes[index], id);
        }
        for (int i = 0; i < met.races.count; i++) {
            race(me, RacePairs.CERTAIN, met.races, i, met.races.site(i), index, array);
        }
        for (int i = 0; i < met.chances.count; i++) {
            race(me, RacePairs.POTENTIAL, met.chances, i, met.chances.site(i), index, array);
        }
        giveStack(me, id, array);
        if (met.hasProtected() && observes[index] && !isAtomic) {
            me.relyOnLocks();
        }
    }

    /**
     * What accesses at this site met that are told of only now. Their stacks are gone, but as a rule their thread has not
     * left the method yet. {@code who}: null if it goes on.
     */
    void tellLate(ThreadState who, Encounter met, int epoch, int site, Object array) {
        int index = Epochs.index(site);
        if (met.isEmpty()) {
            return;
        }
        boolean isHere = who != null && who.get() == Thread.currentThread();
        String[] stack = isHere ? stackOf(index) : Stacks.NONE;
        for (int i = 0; i < met.races.count; i++) {
            tell(who, RacePairs.CERTAIN, met.races, i, met.races.site(i), index, array, epoch, stack);
        }
        for (int i = 0; i < met.chances.count; i++) {
            tell(who, RacePairs.POTENTIAL, met.chances, i, met.chances.site(i), index, array, epoch, stack);
        }
    }

    /** The current thread's stack from the method of this site on; none if it is not in that method. */
    private String[] stackOf(int index) {
        String[] lines = table.split("\n");
        String[] columns = nth(lines, 'S', index).split("\t", -1);
        String method = nth(lines, 'M', Integer.parseInt(columns[1])).split("\t", -1)[1];
        return Stacks.from(user.getName(), method, columns[2]);
    }

    int id(int site) {
        return base + Epochs.index(site);
    }

    /** Happens-before, and lock sets where that leaves the order to chance. */
    private void inOrder(ThreadState me, Object owner, Object holder, WordPlace place, int index, int ordinal) {
        place.sites.learn(ordinal, base + index);
        boolean write = writes[index];
        if (Counts.ON && me.isNews(Mem.M.getLong(holder, write ? place.writes : place.reads))) {
            Counts.SLOW.increment();
        }
        int locks = me.locksFor(owner);
        Order.access(me, holder, place, write, observes[index], ordinal, locks);
        if (!me.met.isEmpty()) {
            tellRaces(me, owner, place, index);
            tellChances(me, owner, place, index, locks);
        }
        giveStack(me, base + index, owner);
    }

    private void tellRaces(ThreadState me, Object owner, WordPlace place, int index) {
        Encounter.Accesses races = me.met.races;
        for (int i = 0; i < races.count; i++) {
            race(me, RacePairs.CERTAIN, races, i, siteOf(races.stamp(i), place), index, owner);
        }
    }

    /** Those that are ordered by chance and have no lock in common. */
    private void tellChances(ThreadState me, Object owner, WordPlace place, int index, int locks) {
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
    private void race(ThreadState me, RacePairs pairs, Encounter.Accesses met, int nth, int earlier, int index, Object owner) {
        tell(me, pairs, met, nth, earlier, index, owner, 0, null);
    }

    /** The same, in a known epoch if it is not 0, and with this stack if it is not null. */
    private void tell(ThreadState me, RacePairs pairs, Encounter.Accesses met, int nth, int earlier, int index, Object owner,
            int knownEpoch, String[] knownStack) {
        int id = base + index;
        if (earlier < 0 || isAtomic && ATOMIC.contains(earlier) || !pairs.worthTelling(earlier, id)) {
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

    private static void tell(RacePairs pairs, int epoch, int id, int earlierThread, int earlier, int earlierLocks,
            int element, String name, String[] stack) {
        int[] suspects = Native.race(pairs == RacePairs.POTENTIAL, epoch, id, earlierThread, earlier, earlierLocks,
                element, name, stack);
        if (suspects == null) {
            pairs.told(earlier, id);
        }
        want(suspects);
    }

    /** If the stack of this access is wanted. */
    private static void giveStack(ThreadState me, int id, Object owner) {
        if (wanted[id] > 0) {
            wanted[id]--;
            Native.stack(id, Epochs.id(me.epochFor(owner)), Stacks.capture());
        }
    }

    /** The lock-set machine's step. */
    private void underLocks(ThreadState me, Object owner, Object holder, WordPlace place, int index, int ordinal) {
        long epoch = me.epochFor(owner);
        if (epoch == 0) {
            return;
        }
        boolean hasBit = ordinal < Epochs.OVERFLOW_ORDINAL;
        long mine = Epochs.MASK | 1L << ordinal;
        int id = base + index;
        for (;;) {
            long old = Mem.M.getLong(holder, place.offset);
            if (hasBit && ((old ^ epoch) & mine) == 0
                    || Counts.ON && me.settled.wouldKnow(old, epoch, ordinal, owner)) {
                return;
            }
            if (Counts.ON) {
                Counts.SLOW.increment();
            }
            long result = next(me, old, epoch, ordinal, id);
            if (result == Memo.MISS) {
                Monitoring.checkTrouble();
                return;
            }
            long word = Native.word(result);
            if (word == old || Mem.M.compareAndSet(holder, place.offset, old, word)) {
                if ((result & Native.FLAGS) != 0 || wanted[id] > 0) {
                    report(result, old, Epochs.id(epoch), id, owner, fieldOfSite[index]);
                } else if (word == old && old < 0) {
                    me.settled.settle(old, epoch, ordinal, result);
                }
                return;
            }
        }
    }

    /** The word after this access, with the library's flags. */
    private static long next(ThreadState me, long old, long epoch, int ordinal, int id) {
        if (FIRST_STEPS && ordinal < Epochs.OVERFLOW_ORDINAL) {
            if (old == 0) {
                return Epochs.first(epoch, ordinal);
            }
            if (((old ^ epoch) & Epochs.MASK) == 0) {
                return old | 1L << ordinal;
            }
        }
        long key = (long) Epochs.id(epoch) << 32 | id;
        long known = me.steps.get(old, key);
        if (known != Memo.MISS) {
            return known;
        }
        if (Counts.ON) {
            Counts.STEPS.increment();
            Counts.NATIVE.increment();
        }
        long result = Native.step(old, Epochs.id(epoch), id);
        if ((result & Native.FLAGS) == 0) {
            me.steps.put(old, key, result);
        }
        return result;
    }

    private void report(long result, long old, int epoch, int id, Object owner, int field) {
        boolean found = (result & Native.REPORT) != 0;
        boolean isWanted = (result & Native.STACK) != 0 || wanted[id] > 0;
        if (!found && !isWanted) {
            return;
        }
        // A field that is raced on everywhere is told of without stacks after a while.
        String[] stack = isWanted ? Stacks.capture() : Stacks.NONE;
        if (wanted[id] > 0) {
            wanted[id]--;
        }
        if (found) {
            want(Native.found(old, epoch, id, name(owner, field), stack));
        } else {
            Native.stack(id, epoch, stack);
        }
    }

    private String name(Object owner, int field) {
        return owner == null ? owners[field] : LockIdentity.describe(owner, System.identityHashCode(owner));
    }

    /** Stacks of these sites would complete a finding. */
    private static void want(int[] suspects) {
        if (suspects != null) {
            for (int suspect : suspects) {
                wanted[suspect] = STACKS_PER_SITE;
            }
            KnownSteps.forgetAll();
            ThreadTable.unsettleAll();
        }
        Exit.atFinding();
    }

    private WordPlace place(int field, Object owner) {
        WordPlace place = places[field];
        if (place == null) {
            place = names[field].equals(Names.STATE) ? WordPlace.CELL
                    : isStatic[field] ? WordPlace.inClass(user, owners[field], names[field], "J")
                    : WordPlace.inInstance(owner, owners[field], names[field], "J");
            places[field] = place;
        }
        return place;
    }

    private static synchronized void makeRoom(int ids) {
        if (ids > wanted.length) {
            wanted = Arrays.copyOf(wanted, Math.max(ids, wanted.length * 2));
        }
    }
}
