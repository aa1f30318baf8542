package racewire.rt;

import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** What the models say of the objects of one class, as containers: worked out once, asked half a dozen times a call. */
final class ContainerClass {
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

    /** Instead of an offset. */
    static final long NONE = -1;
    /** It is a view, but only who made it knows of what. */
    static final long ASK_TABLE = -2;
    /** Its lock is the object itself. */
    static final long ITSELF = -3;

    private static final String FILE = "/META-INF/racewire/containers";

    private static final Map<String, Kind> DECLARED = new HashMap<>();
    /** By class: a field and its type, behind which the container is. */
    private static final Map<String, String[]> BACKED = new HashMap<>();
    /** The same for streams around streams, see {@link Pipes}. */
    private static final Map<String, String[]> WRAPPED = new HashMap<>();

    static {
        read();
    }

    /** Whether the classes of {@link #isCommon} are what they are known for: users may declare something else. */
    private static final boolean COMMON = isUnsafe(ArrayList.class) && isUnsafe(HashMap.class)
            && isUnsafe(LinkedHashMap.class) && isUnsafe(StringBuilder.class);

    private static final ClassValue<ContainerClass> ALL = new ClassValue<ContainerClass>() {
        @Override
        protected ContainerClass computeValue(Class<?> type) {
            try {
                return new ContainerClass(type);
            } catch (Throwable keptQuiet) {
                return NOTHING;
            }
        }
    };

    private static final ContainerClass NOTHING = new ContainerClass();

    /** A power of two. */
    private static final int PLACES = 1 << 10;
    /** Those of the JDK's own classes, which are never unloaded, by a hash: {@link ClassValue} takes several times as long. */
    private static final ContainerClass[] LATELY = new ContainerClass[PLACES];

    /** The class if it may be in {@link #LATELY}. */
    private final Class<?> type;
    final Kind kind;
    /** Where an object has the container behind it, or what it is instead. */
    final long behind;
    /** Where a container has the object that it locks to guard the one behind it, or what it does instead. */
    final long guard;
    /** Where a stream has the one that it passes everything on to, or gets everything from. */
    final long inside;
    /** Calls may hold a lock: objects do themselves, or show something that does. */
    private final boolean mayLock;
    /** Not thread-safe, no view of another one, no lock: by far the most that programs use. */
    final boolean isPlain;

    private ContainerClass() {
        type = null;
        kind = Kind.NONE;
        behind = NONE;
        guard = NONE;
        inside = NONE;
        mayLock = false;
        isPlain = false;
    }

    private ContainerClass(Class<?> type) {
        this.type = type.getClassLoader() == null ? type : null;
        kind = kind(type);
        behind = behind(type);
        guard = guard(type, kind);
        inside = inside(type);
        mayLock = kind == Kind.LOCKED || behind != NONE;
        isPlain = kind == Kind.UNSAFE && !mayLock;
    }

    private static boolean isUnsafe(Class<?> type) {
        return DECLARED.get(type.getName()) == Kind.UNSAFE;
    }

    /** Those of {@link #isPlain} that are met most: comparing costs less than looking up, and the JIT often knows the class. */
    static boolean isCommon(Object o) {
        Class<?> type = o.getClass();
        return COMMON && (type == ArrayList.class || type == HashMap.class || type == LinkedHashMap.class
                || type == StringBuilder.class);
    }

    /** Whether a call of {@code o} may hold a lock: not if it is plain, nor if it shows or walks through something plain. */
    static boolean mayLock(Object o) {
        return !isCommon(o) && of(o).mayHoldLock(o);
    }

    private boolean mayHoldLock(Object o) {
        if (!mayLock || kind == Kind.LOCKED || guard != NONE || behind < 0) {
            return mayLock;
        }
        Object shown = Mem.M.getObject(o, behind);
        return shown == null || !isCommon(shown) && !of(shown).isPlain;
    }

    static ContainerClass of(Object o) {
        Class<?> type = o.getClass();
        ContainerClass known = LATELY[System.identityHashCode(type) & PLACES - 1];
        return known != null && known.type == type ? known : find(type);
    }

    private static ContainerClass find(Class<?> type) {
        ContainerClass found = ALL.get(type);
        if (found.type != null) {
            LATELY[System.identityHashCode(type) & PLACES - 1] = found;
        }
        return found;
    }

    /**
     * That of the nearest class that is declared. A class of the program that has methods of its own in place of the
     * container's may do anything there, lock for one; what it calls in turn is seen where it does.
     */
    private static Kind kind(Class<?> type) {
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

    private static long behind(Class<?> type) {
        long otherwise = NONE;
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            String[] backing = BACKED.get(c.getName());
            if (backing != null) {
                return Mem.M.offset(c, backing[0], backing[1]);
            }
            Class<?> around = c.getEnclosingClass();
            // Only classes of the JDK are taken for views.
            if (around != null && c.getClassLoader() == null) {
                long offset = Mem.M.offset(c, "this$0", "L" + around.getName().replace('.', '/') + ";");
                if (offset >= 0) {
                    return offset;
                }
                otherwise = ASK_TABLE;
            }
        }
        return otherwise;
    }

    private static long guard(Class<?> type, Kind kind) {
        for (Class<?> c = type; kind == Kind.LOCKED && c != null; c = c.getSuperclass()) {
            if (BACKED.containsKey(c.getName())) {
                long mutex = Mem.M.offset(c, "mutex", "Ljava/lang/Object;");
                return mutex >= 0 ? mutex : ITSELF;
            }
        }
        return NONE;
    }

    private static long inside(Class<?> type) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            String[] wrapped = WRAPPED.get(c.getName());
            if (wrapped != null) {
                return Mem.M.offset(c, wrapped[0], wrapped[1]);
            }
        }
        return NONE;
    }

    private static void read() {
        try (InputStream in = ContainerClass.class.getResourceAsStream(FILE)) {
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
