package racewire.rt;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Finalisers. "There is a happens-before edge from the end of a constructor of an object to the start of a finalizer for that
 * object" (JLS 17.4.5), and no other. By hash: weak references to the object are cleared before its finaliser runs.
 */
public final class Finalizers {
    private static final Map<Integer, Past> ENDS = new ConcurrentHashMap<>();

    private Finalizers() { }

    /** A constructor of {@code o}, whose class has a finaliser, is about to return: called by woven classes. */
    public static void constructed(Object o) {
        if (Order.ON) {
            try {
                ENDS.merge(System.identityHashCode(o), ThreadTable.current().past(), Past::and);
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }

    /** The finaliser begins. */
    public static void begin(Object o) {
        if (Order.ON) {
            try {
                Past end = ENDS.remove(System.identityHashCode(o));
                if (end != null) {
                    ThreadTable.current().clock.learn(end);
                }
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }

    public static void end(Object o) {
        // Nobody learns of it.
    }
}
