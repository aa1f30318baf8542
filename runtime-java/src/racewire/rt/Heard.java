package racewire.rt;

import java.lang.ref.WeakReference;

/**
 * What a thread has got by a race: references in fields that another thread had written without order. What it gets at from
 * there by way of final fields it sees as it was when their object was made. Only the thread itself uses it, or who tells for
 * it when it has ended.
 */
final class Heard {
    private static final int KEPT = 32;
    private static final int REMEMBERED = 64;

    private final Value[] values = new Value[KEPT];
    private int next;

    /** By identity hash: objects that were got at like this, and whose constructor's end says so. */
    private final Known[] known = new Known[REMEMBERED];

    private static final class Value extends WeakReference<Object> {
        /** Of the access that wrote it. */
        final long written;

        Value(Object object, long written) {
            super(object);
            this.written = written;
        }
    }

    private static final class Known extends WeakReference<Object> {
        final Frozen by;

        Known(Object object, Frozen by) {
            super(object);
            this.by = by;
        }
    }

    /** {@code object} was read, which the access with this stamp had written. */
    void of(Object object, long stamp) {
        for (Value v : values) {
            if (v != null && v.get() == object) {
                return;
            }
        }
        Frozen.isHandedOver(object);
        values[next++ & KEPT - 1] = new Value(object, stamp);
    }

    /**
     * Whether an access with this stamp to {@code object} is seen by who comes by way of a final field.
     *
     * <p>Which way the thread has come is not known. That there is a way is enough: if it came by another one that nothing
     * orders, that one is reported.
     */
    boolean explains(Object object, long stamp, boolean surely) {
        int at = System.identityHashCode(object) & REMEMBERED - 1;
        Known found = known[at];
        if (found != null && found.get() == object && found.by.knows(stamp, surely)) {
            return true;
        }
        for (int i = 1; i <= KEPT && values[next - i & KEPT - 1] != null; i++) {
            Value value = values[next - i & KEPT - 1];
            Object from = value.get();
            Frozen by = from == null ? null : new Reach(object, stamp, surely).from(from, value.written);
            if (by != null) {
                known[at] = new Known(object, by);
                return true;
            }
        }
        return false;
    }
}
