package racewire.rt;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Calls that HotSpot must not inline. It takes what is called a hundred times for hot, however seldom it is called
 * among millions, inlines it, and then finds the hook around it too big to be inlined itself: Sor ran 3 times slower.
 */
final class OutOfLine {
    /** Not final: what a constant handle calls is inlined. */
    private static MethodHandle element = find(ThreadState.class, "element",
            MethodType.methodType(boolean.class, Object.class, int.class, int.class, Class.class, boolean.class));
    private static MethodHandle walk = find(ArrayAccesses.class, "walk",
            MethodType.methodType(boolean.class, Object.class, int.class, int.class, int.class, int.class, Class.class,
                    boolean.class));

    private OutOfLine() { }

    private static MethodHandle find(Class<?> owner, String name, MethodType type) {
        try {
            return MethodHandles.lookup().findVirtual(owner, name, type);
        } catch (ReflectiveOperationException cannotBe) {
            throw new IllegalStateException(cannotBe);
        }
    }

    /** See {@link ThreadState#element}, of the current thread. */
    static boolean element(Object array, int index, int site, Class<?> user, boolean write) {
        try {
            return (boolean) element.invokeExact(ThreadTable.current(), array, index, site, user, write);
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
            return false;
        }
    }

    /** See {@link ArrayAccesses#walk}, of the current thread. */
    static boolean walk(Object array, int last, int span, int stride, int site, Class<?> user, boolean write) {
        try {
            return (boolean) walk.invokeExact(ThreadTable.current().arrays(), array, last, span, stride, site, user, write);
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
            return false;
        }
    }
}
