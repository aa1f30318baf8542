package racewire.rt;

import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.reflect.Method;
import java.util.Enumeration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Locale;
import java.util.Map;
import java.util.Spliterator;
import java.util.stream.BaseStream;

/** What kind of container an object is: calls through {@code List} do not say. The kinds are declared with the models. */
public final class Containers {
    enum Kind {
        /** Not thread-safe: calls are reads and writes of its one state. */
        UNSAFE,
        /** Hands its elements over. */
        CONCURRENT,
        /** Calls hold its lock. */
        LOCKED,
        /** What is written at one end is read at the other. */
        PIPE,
        /** Nothing is known, or nothing needs to be. */
        NONE
    }

    private static final String FILE = "/META-INF/racewire/containers";

    private static final Map<String, Kind> DECLARED = new HashMap<>();
    /** By class: a field and its type, behind which the container is. */
    private static final Map<String, String[]> BACKED = new HashMap<>();
    /** The same for streams around streams, see {@link Pipes}. */
    private static final Map<String, String[]> WRAPPED = new HashMap<>();

    static {
        read();
    }

    private static final ClassValue<Kind> KINDS = new ClassValue<Kind>() {
        @Override
        protected Kind computeValue(Class<?> type) {
            try {
                return find(type);
            } catch (Throwable keptQuiet) {
                return Kind.NONE;
            }
        }
    };

    private Containers() { }

    /** An access to the state of {@code o}, if it has one, to elements of an array, or to a field; by woven classes. */
    public static void access(Sites sites, Object o, int site) {
        if (!Order.ON || o == null || isKnown(sites, o, site) || Reached.access(sites, o, site)) {
            return;
        }
        Object owner = o.getClass().isArray() ? Part.whole(o) : o instanceof Part ? o : behind(o, Kind.UNSAFE);
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
        Object lock = mayLock(o) ? guard(o) : null;
        return lock != null && !Thread.holdsLock(lock);
    }

    // ---- containers that lock

    /** Whether calls of such objects may hold a lock: they do themselves, or show something that does. */
    private static final ClassValue<Boolean> MAY_LOCK = new ClassValue<Boolean>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return KINDS.get(type) == Kind.LOCKED || Views.mayBeView(type);
        }
    };

    static boolean mayLock(Object o) {
        return !Plain.is(o) && MAY_LOCK.get(o.getClass());
    }

    /** See {@link Plain}. */
    static boolean isPlain(Class<?> type) {
        return KINDS.get(type) == Kind.UNSAFE && !MAY_LOCK.get(type);
    }

    private static final long NO_GUARD = -1;
    private static final long GUARDS_ITSELF = -2;

    /** Where a container has the object that it locks to guard the one behind it, or what it does instead. */
    private static final ClassValue<Long> GUARDS = new ClassValue<Long>() {
        @Override
        protected Long computeValue(Class<?> type) {
            for (Class<?> c = type; KINDS.get(type) == Kind.LOCKED && c != null; c = c.getSuperclass()) {
                if (BACKED.containsKey(c.getName())) {
                    long mutex = Mem.M.offset(c, "mutex", "Ljava/lang/Object;");
                    return mutex >= 0 ? mutex : GUARDS_ITSELF;
                }
            }
            return NO_GUARD;
        }
    };

    /** The lock that calls of {@code o} hold if it guards another container, or shows one that does; else null. */
    static Object guard(Object o) {
        // "It is imperative that the user manually synchronize" when these are used: they do not.
        if (o instanceof Iterator || o instanceof Spliterator || o instanceof Enumeration || o instanceof BaseStream) {
            return null;
        }
        Object at = o;
        for (int depth = 0; at != null && depth < Views.MAX_DEPTH; depth++) {
            long guard = GUARDS.get(at.getClass());
            if (guard != NO_GUARD) {
                return guard == GUARDS_ITSELF ? at : Mem.M.getObject(at, guard);
            }
            at = Views.next(at);
        }
        return null;
    }

    /** Whether the current thread has made such an access to this container at this very moment. */
    private static boolean isKnown(Sites sites, Object o, int site) {
        try {
            ThreadState me = ThreadTable.current();
            SyncRef known = me.reached.isEmpty() ? me.latelyMet(o) : null;
            Cell cell = known == null ? null : known.knownCell();
            if (cell == null) {
                return false;
            }
            long last = sites.isWrite(site) ? cell.writes : cell.reads;
            return ((last ^ me.stamp) & Stamps.WHO_AND_WHEN) == 0 || last < 0 && me.hasRead(last);
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
            return false;
        }
    }

    /** After so many elements were moved from {@code container} to {@code target}. */
    public static void drained(Object container, Object target, int count) {
        Elements.drained(container, target, count);
    }

    /** The container behind {@code o} if it is one of this kind, else null. */
    static Object behind(Object o, Kind kind) {
        if (!Order.ON || o == null) {
            return null;
        }
        if (Plain.is(o)) {
            return kind == Kind.UNSAFE ? o : null;
        }
        Object owner = Views.owner(o);
        return KINDS.get(owner.getClass()) == kind ? owner : null;
    }

    /**
     * That of the nearest class that is declared. A class of the program that has methods of its own in place of the
     * container's may do anything there, lock for one; what it calls in turn is seen where it does.
     */
    private static Kind find(Class<?> type) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            Kind kind = DECLARED.get(c.getName());
            if (kind != null) {
                return c == type || !overrides(type, c) ? kind : Kind.NONE;
            }
        }
        return Kind.NONE;
    }

    private static boolean overrides(Class<?> type, Class<?> container) {
        for (Class<?> c = type; c != container; c = c.getSuperclass()) {
            if (c.getClassLoader() == null) {
                continue;
            }
            for (Method mine : c.getDeclaredMethods()) {
                for (Method theirs : container.getMethods()) {
                    if (!mine.isSynthetic() && mine.getName().equals(theirs.getName())) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** The field of this class that the container is in, and its type; null if there is none. */
    static String[] backing(Class<?> type) {
        return BACKED.get(type.getName());
    }

    /** The same for the stream that one of this class is around. */
    static String[] wrapped(Class<?> type) {
        return WRAPPED.get(type.getName());
    }

    static boolean isPipe(Object o) {
        return KINDS.get(o.getClass()) == Kind.PIPE;
    }

    private static void read() {
        try (InputStream in = Containers.class.getResourceAsStream(FILE)) {
            if (in != null) {
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, "UTF-8"));
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    String[] words = line.split(" ");
                    if (words.length == 4) {
                        Map<String, String[]> fields = words[0].equals("wraps") ? WRAPPED : BACKED;
                        fields.put(words[1], new String[] {words[2], words[3]});
                    } else {
                        DECLARED.put(words[1], Kind.valueOf(words[0].toUpperCase(Locale.ROOT)));
                    }
                }
            }
        } catch (Exception keptQuiet) {
            // No kinds, no states.
        }
    }
}
