package racewire.rt;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.Reference;

/**
 * Whether the object of a weak reference is gone. To ask for the object would tell a collector that is at work that it is used, and
 * keep it.
 */
final class Cleared {
    /** {@code Reference.refersTo}, of JDK 16; needed from 21 on, where a collector may have a null that is not 0. */
    private static final MethodHandle REFERS_TO = refersTo();
    private static final long REFERENT =
            Mem.privateOffset("java.lang.ref.Reference", "referent", "Ljava/lang/Object;");

    private Cleared() { }

    private static MethodHandle refersTo() {
        try {
            Class.forName("java.lang.VirtualThread", false, null);
            return MethodHandles.publicLookup().findVirtual(Reference.class, "refersTo",
                    MethodType.methodType(boolean.class, Object.class));
        } catch (ReflectiveOperationException older) {
            return null;
        }
    }

    static boolean is(Reference<Object> ref) {
        if (REFERS_TO != null) {
            return refersToNull(ref);
        }
        // Where references have eight bytes these may be half of one.
        return (REFERENT < 0 || Mem.M.getInt(ref, REFERENT) == 0) && ref.get() == null;
    }

    private static boolean refersToNull(Reference<Object> ref) {
        try {
            return (boolean) REFERS_TO.invokeExact((Reference<?>) ref, (Object) null);
        } catch (Throwable never) {
            return false;
        }
    }
}
