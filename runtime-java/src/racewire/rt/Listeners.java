package racewire.rt;

/**
 * What a program registers somewhere, to be called by other threads: whoever registers it comes before its calls.
 */
public final class Listeners {
    private Listeners() { }

    /** What to register in place of {@code listener}; always the same. */
    public static Object added(Object listener) {
        if (!Order.ON || listener == null) {
            return listener;
        }
        try {
            if (!Tasks.isLambda(listener)) {
                Tasks.submit(listener);
                return listener;
            }
            Object only = Proxied.only(listener);
            Handover handover = Proxied.handover(only);
            if (handover != null) {
                handover.submitted(null, null);
            }
            return only;
        } catch (Throwable keptQuiet) {
            return listener;
        }
    }

    /** What was registered in place of {@code listener}. */
    public static Object known(Object listener) {
        if (!Order.ON || listener == null || !Tasks.isLambda(listener)) {
            return listener;
        }
        try {
            return Proxied.known(listener);
        } catch (Throwable keptQuiet) {
            return listener;
        }
    }

    /** {@code listener}, as it was registered, is called when what was released to {@code source} is known. */
    public static void after(Object listener, Object source) {
        if (!Order.ON || listener == null || source == null) {
            return;
        }
        try {
            Handover handover = Proxied.handover(listener);
            if (handover == null) {
                SyncRef known = SyncTable.peek(listener);
                handover = known == null ? null : known.handover;
            }
            if (handover != null) {
                handover.alsoAfter(source);
            }
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
        }
    }
}
