package racewire.rt;

/** Items that go from a publisher to its subscribers. */
public final class Flows {
    private static final Object ITEMS = new Object();
    private static final Object END = new Object();

    private Flows() { }

    public static void submit(Object item) {
        Sync.put(ITEMS, item);
    }

    public static void close() {
        Sync.release(END);
    }

    /** A subscriber is called: one call after the other, each with what its publisher knew. */
    public static void begin(Object subscriber) {
        if (Order.ON) {
            Sync.acquire(subscriber);
            Sync.acquire(END);
        }
    }

    public static void begin(Object subscriber, Object item) {
        if (Order.ON) {
            begin(subscriber);
            Sync.take(ITEMS, item);
        }
    }

    public static void end(Object subscriber) {
        Sync.release(subscriber);
    }
}
