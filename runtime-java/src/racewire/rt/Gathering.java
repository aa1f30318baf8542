package racewire.rt;

/**
 * Gatherers of streams: their functions are run by the threads of the pipeline, or by threads of their own
 * ({@code mapConcurrent}), after the gatherer was given to the stream and before whoever has the stream's result.
 */
public final class Gathering {
    private Gathering() { }

    /** Before a gatherer is made, for its functions. */
    public static Object making() {
        if (!Order.ON) {
            return null;
        }
        try {
            Handover handover = new Handover(Thread.currentThread());
            handover.submitted(null, null);
            return handover;
        } catch (Throwable keptQuiet) {
            return null;
        }
    }

    /** Before {@code stream} goes on with {@code gatherer}: it is one more part of the pipeline. */
    public static Object stage(Object stream, Object gatherer) {
        Object stage = Tasks.stage(stream, null);
        if (stage != null && gatherer != null) {
            try {
                SyncRef ref = SyncTable.peek(gatherer);
                if (ref != null && ref.handover != null) {
                    ref.handover.submitted(null, null);
                    ((Handover) stage).goesOnWith(ref);
                }
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
        return stage;
    }
}
