package racewire.rt;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Views and iterators: what is done to one is done to the container behind it. Most of them know it themselves, as inner
 * classes (JLS 8.1.3); of the others that are declared it is kept who made them.
 */
public final class Views {
    /** This may be the first hook of all: {@link Mem} is nothing before {@link Hooks} has begun. */
    private static final boolean ON = Hooks.ON;

    static final int MAX_DEPTH = 8;

    /** Entries of maps are written by somebody: only then it matters whose they are. */
    private static volatile boolean entriesMatter;

    private static final long ACCESS_ORDER = Mem.privateOffset("java.util.LinkedHashMap", "accessOrder", "Z");

    private Views() { }

    static void entriesMatter() {
        entriesMatter = true;
    }

    /** {@code element} was found by {@code iterator}: if it is an entry, whoever sets its value writes the map. */
    public static void found(Object element, Object iterator) {
        if (entriesMatter && element instanceof Map.Entry && Containers.behind(iterator, ContainerClass.Kind.UNSAFE) != null) {
            alias(element, iterator);
        }
    }

    /** {@code map} if looking something up changes it: it keeps its entries in the order of their use; else null. */
    public static Object reordered(Object map) {
        if (!Order.ON || map == null || map.getClass() == HashMap.class || ACCESS_ORDER < 0) {
            return null;
        }
        Object owner = owner(map);
        return owner instanceof LinkedHashMap && Mem.M.getBoolean(owner, ACCESS_ORDER) ? map : null;
    }

    /** {@code map} if looking something up leaves it as it is. */
    public static Object kept(Object map) {
        return reordered(map) == null ? map : null;
    }

    /** What a stream of {@code o} reads; no lock of {@code o} is taken then. */
    public static Object source(Object o) {
        return Order.ON && o != null && ContainerClass.mayLock(o) && Containers.guard(o) != null ? owner(o) : o;
    }

    /** {@code view} shows what is in {@code owner}. */
    public static void alias(Object view, Object owner) {
        if (!Order.ON || view == null || owner == null || view == owner) {
            return;
        }
        try {
            if (!ContainerClass.isCommon(view) && ContainerClass.of(view).behind == ContainerClass.ASK_TABLE) {
                ThreadState me = ThreadTable.current();
                me.sync(view).owner = me.sync(owner(owner));
            }
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
        }
    }

    /** The container behind {@code o}, which may be {@code o} itself. */
    static Object owner(Object o) {
        Object owner = o;
        try {
            for (int depth = 0; depth < MAX_DEPTH; depth++) {
                Object next = next(owner);
                if (next == null) {
                    return owner;
                }
                owner = next;
            }
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
        }
        return owner;
    }

    /** What {@code o} shows; null if that is itself. */
    static Object next(Object o) {
        long behind = ContainerClass.of(o).behind;
        if (behind >= 0) {
            return Mem.M.getObject(o, behind);
        }
        if (behind == ContainerClass.NONE) {
            return null;
        }
        SyncRef known = SyncTable.peek(o);
        return known == null || known.owner == null ? null : known.owner.get();
    }
}
