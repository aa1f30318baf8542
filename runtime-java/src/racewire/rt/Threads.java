package racewire.rt;

/** Ends of threads that are found out without {@code join}. */
public final class Threads {
    private Threads() { }

    /** Before a thread is given to somebody who will start it. */
    public static void starting(Object thread) {
        if (thread != null) {
            Hooks.beforeStart((Thread) thread);
        }
    }

    public static void alive(Object thread, int alive) {
        if (alive == 0) {
            ended(thread);
        }
    }

    public static void joined(Object thread, int ended) {
        if (ended != 0) {
            ended(thread);
        }
    }

    public static void state(Object thread, Object state) {
        if (state == Thread.State.TERMINATED) {
            ended(thread);
        }
    }

    private static void ended(Object thread) {
        if (Order.ON && thread != null) {
            try {
                ThreadTable.ended((Thread) thread);
                // Its task was seen to end, if the thread itself was not.
                Tasks.done(thread);
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }
}
