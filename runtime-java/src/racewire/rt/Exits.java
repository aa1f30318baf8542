package racewire.rt;

import java.util.ArrayList;
import java.util.List;

/**
 * Shutdown hooks are started by whoever calls {@code exit}, or, if nobody does, when the last thread that is no daemon has
 * ended (JLS 12.8): either way they know what was done until then.
 */
public final class Exits {
    /** Hooks that the program has added. */
    private static final List<Thread> HOOKS = new ArrayList<>();
    /** What all threads that were no daemons did, of which it was seen that they have ended; null: none. */
    private static Past ended;
    /** The program has called {@code exit}. */
    private static boolean isCalled;

    private Exits() { }

    /** Before {@code thread} becomes a hook. */
    public static void hook(Object thread) {
        if (thread != null) {
            Hooks.beforeStart((Thread) thread);
            if (Order.ON) {
                synchronized (Exits.class) {
                    HOOKS.add((Thread) thread);
                }
            }
        }
    }

    /** Before the current thread calls {@code exit}. */
    public static void exit() {
        if (!Order.ON) {
            return;
        }
        try {
            Past now = ThreadTable.current().past();
            synchronized (Exits.class) {
                isCalled = true;
                for (Thread hook : HOOKS) {
                    ThreadState state = ThreadTable.peek(hook);
                    if (state != null && !state.ran) {
                        state.clock.learn(now);
                    }
                }
            }
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
        }
    }

    /** A thread has ended and will be forgotten. */
    static void gone(ThreadState state) {
        if (Order.ON && !state.isDaemon) {
            synchronized (Exits.class) {
                ended = state.clock.last().and(ended);
            }
        }
    }

    /** The current thread begins. */
    static void begins(ThreadState me, Thread thread) {
        if (!Order.ON) {
            return;
        }
        Past known;
        synchronized (Exits.class) {
            if (isCalled || !HOOKS.contains(thread)) {
                return;
            }
            known = ended;
        }
        if (known != null) {
            me.clock.learn(known);
        }
        for (ThreadState other : ThreadTable.all()) {
            Thread of = other.get();
            if (of != null && other.ran && !other.isDaemon && !of.isAlive()) {
                ThreadTable.ended(of);
            }
        }
    }
}
