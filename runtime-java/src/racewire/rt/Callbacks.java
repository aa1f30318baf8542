package racewire.rt;

/**
 * Methods that others call back when something has happened: they know what was released to their object, and what its
 * task has done if it has ended. Nobody waits for them.
 */
public final class Callbacks {
    private Callbacks() { }

    /** Called by woven classes, first thing. */
    public static void begin(Object o) {
        if (Order.ON) {
            try {
                SyncRef known = SyncTable.peek(o);
                if (known != null) {
                    Handover.acquire(known, 0);
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
