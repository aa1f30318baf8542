package racewire.rt;

/** Calls that release what the thread did only if they succeed: compare-and-set and the like. */
public final class Attempts {
    private Attempts() { }

    /** Before an attempt on {@code o} itself. */
    public static Object on(Object o) {
        if (!Order.ON || o == null) {
            return null;
        }
        try {
            ThreadState me = ThreadTable.current();
            return Sync.var(me, o).attempt(me);
        } catch (Throwable keptQuiet) {
            return null;
        }
    }

    /** Before one on an element of an array. */
    public static Object at(Object array, int index) {
        if (!Order.ON || array == null) {
            return null;
        }
        try {
            ThreadState me = ThreadTable.current();
            return me.sync(array).element(Indexed.key(index), true).attempt(me);
        } catch (Throwable keptQuiet) {
            return null;
        }
    }

    // ---- through handles: of a static field, of a field of an object, of an element

    public static Object handle(Object handle) {
        return Handles.attempt(handle, null);
    }

    public static Object handle(Object handle, Object owner) {
        return owner == null ? null : Handles.attempt(handle, owner);
    }

    public static Object handle(Object handle, Object array, int index) {
        return at(array, index);
    }

    // ---- after it

    public static void settle(Object attempt, int succeeded) {
        done(attempt, succeeded != 0);
    }

    public static void settle(Object attempt, int expected, int found) {
        done(attempt, expected == found);
    }

    public static void settle(Object attempt, long expected, long found) {
        done(attempt, expected == found);
    }

    public static void settle(Object attempt, Object expected, Object found) {
        done(attempt, expected == found);
    }

    /** The call has thrown something. */
    public static void failed(Object attempt) {
        done(attempt, false);
    }

    private static void done(Object attempt, boolean succeeded) {
        if (attempt != null) {
            SyncVar.Attempt of = (SyncVar.Attempt) attempt;
            of.variable.settle(of, succeeded);
        }
    }
}
