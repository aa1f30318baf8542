package racewire.rt;

import java.lang.reflect.Array;
import java.util.Arrays;

/** Some elements of an array that a call reads or writes; called by woven classes, which pass it on as a container. */
public final class Part extends Walk {
    /** This may be the first hook of all: {@link Mem} is nothing before {@link Hooks} has begun. */
    private static final boolean ON = Hooks.ON;

    /** What {@code Arrays.asList} gives: a list whose elements are those of the array in it. */
    private static final Class<?> AS_LIST = Arrays.asList().getClass();
    private static final long IN_LIST = Mem.privateOffset(AS_LIST.getName(), "a", "[Ljava/lang/Object;");

    final Object array;

    private Part(Object array, int from, int to) {
        super(from, to);
        this.array = array;
    }

    /** All elements, null if there are none. */
    static Object whole(Object array) {
        return upTo(array, Integer.MAX_VALUE);
    }

    /** Elements {@code from} to {@code to} (exclusive), null if there are none such. */
    public static Object between(Object array, int from, int to) {
        try {
            boolean exists = isArray(array) && from >= 0 && from < to && to <= Array.getLength(array);
            return exists ? new Part(array, from, to) : null;
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
            return null;
        }
    }

    public static Object counted(Object array, int from, int count) {
        // A sum that overflows is below from.
        return between(array, from, from + count);
    }

    /** The first elements, at most {@code to} and at most all. */
    public static Object upTo(Object array, int to) {
        return upTo(array, 0, to);
    }

    public static Object upTo(Object array, int from, int to) {
        return isArray(array) ? between(array, from, Math.min(to, Array.getLength(array))) : null;
    }

    /** The element of this index if the list shows an array, else the list. */
    public static Object at(Object list, int index) {
        boolean shows = Order.ON && IN_LIST >= 0 && list != null && list.getClass() == AS_LIST;
        return shows ? between(Mem.M.getObject(list, IN_LIST), index, index + 1) : list;
    }

    private static boolean isArray(Object o) {
        return Order.ON && o != null && o.getClass().isArray();
    }
}
