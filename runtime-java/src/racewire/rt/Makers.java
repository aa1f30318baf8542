package racewire.rt;

/** Methods of the program that make something for the JDK, which gives it to other threads in ways that are not seen. */
public final class Makers {
    private Makers() { }

    /** {@code maker} returns this: called by woven classes. */
    public static void made(Object maker, Object result) {
        if (!Order.ON || result == null) {
            return;
        }
        if (result instanceof Thread) {
            // Whoever wanted the thread will start it, in the JDK.
            Hooks.beforeStart((Thread) result);
        } else {
            Sync.put(maker, result);
        }
    }
}
