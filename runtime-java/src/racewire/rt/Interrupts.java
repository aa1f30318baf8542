package racewire.rt;

/** Who interrupts a thread comes before whoever finds that thread interrupted (JLS 17.4.4). */
public final class Interrupts {
    /** With a thread: its interrupts. */
    private static final Object INTERRUPT = new Object();

    private Interrupts() { }

    public static void interrupt(Object thread) {
        Sync.put(thread, INTERRUPT);
    }

    /** The thread was found to be interrupted. */
    public static void found(Object thread) {
        Sync.take(thread, INTERRUPT);
    }

    /** A call that may be interrupted has thrown this. */
    public static void thrown(Object thrown) {
        if (thrown instanceof InterruptedException) {
            Sync.take(Thread.currentThread(), INTERRUPT);
        }
    }
}
