package racewire.rt;

/**
 * Streams and channels with two ends: what was done before something was written is known to who reads. Programs mostly
 * hold a stream around a stream around a pipe; the models say in which field each keeps the next one.
 */
public final class Pipes {
    /** This may be the first hook of all: {@link Mem} is nothing before {@link Hooks} has begun. */
    private static final boolean ON = Hooks.ON;

    /** Streams around streams, at most. */
    private static final int MAX_DEPTH = 16;

    private Pipes() { }

    /** {@code end} is one of the ends of {@code pipe}. */
    public static void end(Object end, Object pipe) {
        Sync.partOf(end, pipe);
    }

    /** Before something is written to {@code stream}, or it is closed. */
    public static void send(Object stream) {
        Sync.release(pipe(stream));
    }

    /** After something was read from it, or its end was met. */
    public static void receive(Object stream) {
        Sync.acquire(pipe(stream));
    }

    /** The pipe behind {@code stream}; null if there is none. */
    private static Object pipe(Object stream) {
        if (!Order.ON || stream == null) {
            return null;
        }
        try {
            Object at = stream;
            for (int depth = 0; depth < MAX_DEPTH; depth++) {
                long inside = ContainerClass.of(at).inside;
                Object next = inside < 0 ? null : Mem.M.getObject(at, inside);
                if (next == null) {
                    Object whole = Sync.whole(at);
                    return whole != at || ContainerClass.of(at).kind == ContainerClass.Kind.PIPE ? whole : null;
                }
                at = next;
            }
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
        }
        return null;
    }
}
