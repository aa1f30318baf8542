package racewire.rt;

import java.util.Enumeration;
import java.util.Iterator;
import java.util.Spliterator;
import java.util.stream.BaseStream;

/** Containers of the JDK, each taken as one variable: calls through {@code List} do not say what they call. */
public final class Containers {
    private Containers() { }

    /** An access to the state of {@code o}, if it has one, to elements of an array, or to a field; by woven classes. */
    public static void access(Sites sites, Object o, int site) {
        if (Order.ON && o != null) {
            OutOfLine.container(sites, o, site);
        }
    }

    /** The same where it may be something new. */
    static void takeIn(Sites sites, Object o, int site) {
        if (Reached.access(sites, o, site)) {
            return;
        }
        Object owner = o.getClass().isArray() ? Part.whole(o) : o instanceof Part ? o
                : behind(o, ContainerClass.Kind.UNSAFE);
        if (owner != null && (owner == o || !isGuarded(o))) {
            Hooks.access(sites, owner, site);
        }
    }

    /** The same by a class; true if that has to register first. */
    public static boolean access(Class<?> user, Object o, int site) {
        return Order.ON && o != null && OutOfLine.container(user, o, site);
    }

    /** It has a lock that is not held now: whoever looks into it will take that first. */
    private static boolean isGuarded(Object o) {
        Object lock = ContainerClass.mayLock(o) ? guard(o) : null;
        return lock != null && !Thread.holdsLock(lock);
    }

    /** The lock that calls of {@code o} hold if it guards another container, or shows one that does; else null. */
    static Object guard(Object o) {
        // "It is imperative that the user manually synchronize" when these are used: they do not.
        if (o instanceof Iterator || o instanceof Spliterator || o instanceof Enumeration || o instanceof BaseStream) {
            return null;
        }
        Object at = o;
        for (int depth = 0; at != null && depth < Views.MAX_DEPTH; depth++) {
            long guard = ContainerClass.of(at).guard;
            if (guard != ContainerClass.NONE) {
                return guard == ContainerClass.ITSELF ? at : Mem.M.getObject(at, guard);
            }
            at = Views.next(at);
        }
        return null;
    }

    /**
     * Whether an access is nothing new: the current thread has made such a one to this container, or to these elements, at
     * this very moment.
     */
    static boolean isKnown(ThreadState me, Object o, int site, Class<?> user) {
        int ordinal = Epochs.ordinal(site);
        // Classes that were woven by an earlier version do not say what they do.
        if (ordinal == Epochs.OVERFLOW_ORDINAL || !me.reached.isEmpty()) {
            return false;
        }
        boolean write = (ordinal & 1) != 0;
        if (o instanceof Part) {
            return me.arrays().notes((Part) o, site, user, write);
        }
        Object owner = behind(o, ContainerClass.Kind.UNSAFE);
        if (owner == null) {
            // No container, or a safe one: calls of a Map or an Iterator do not say.
            return !o.getClass().isArray();
        }
        ContainerState known = me.latelyMet(owner);
        return known != null && (me.isOfNow(known.writes) || !write && me.isOfNow(known.reads));
    }

    /** After so many elements were moved from {@code container} to {@code target}. */
    public static void drained(Object container, Object target, int count) {
        Elements.drained(container, target, count);
    }

    /** The container behind {@code o} if it is one of this kind, else null. */
    static Object behind(Object o, ContainerClass.Kind kind) {
        if (!Order.ON || o == null) {
            return null;
        }
        if (ContainerClass.isCommon(o)) {
            return kind == ContainerClass.Kind.UNSAFE ? o : null;
        }
        ContainerClass its = ContainerClass.of(o);
        if (its.isPlain) {
            return kind == ContainerClass.Kind.UNSAFE ? o : null;
        }
        if (its.behind >= 0) {
            // Mostly an iterator.
            Object shown = Mem.M.getObject(o, its.behind);
            if (shown != null && ContainerClass.isCommon(shown)) {
                return kind == ContainerClass.Kind.UNSAFE ? shown : null;
            }
        }
        Object owner = Views.owner(o);
        return (owner == o ? its : ContainerClass.of(owner)).kind == kind ? owner : null;
    }
}
