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
    /** From JDK 21 on a collector may have a null that is not 0, and the JDK has to be asked. */
    private static final boolean MUST_ASK = hasVirtualThreads();
    private static final long REFERENT =
            Mem.privateOffset("java.lang.ref.Reference", "referent", "Ljava/lang/Object;");

    /** Whether the JDK can be asked by now. */
    private static volatile boolean canAsk;

    private Cleared() { }

    private static boolean hasVirtualThreads() {
        try {
            Class.forName("java.lang.VirtualThread", false, null);
            return true;
        } catch (ClassNotFoundException older) {
            return false;
        }
    }

    /** By the runtime's own thread, which has stack enough; it takes too long for a program's start. */
    static void prepare() {
        canAsk = MUST_ASK && Asking.REFERS_TO != null;
    }

    /** No if it is not known. */
    static boolean is(Reference<Object> ref) {
        if (MUST_ASK) {
            return canAsk && Asking.refersToNull(ref);
        }
        // Where references have eight bytes these may be half of one.
        return (REFERENT < 0 || Mem.M.getInt(ref, REFERENT) == 0) && ref.get() == null;
    }

    /** {@code Reference.refersTo}, of JDK 16. */
    private static final class Asking {
        static final MethodHandle REFERS_TO = refersTo();

        private static MethodHandle refersTo() {
            try {
                return MethodHandles.publicLookup().findVirtual(Reference.class, "refersTo",
                        MethodType.methodType(boolean.class, Object.class));
            } catch (ReflectiveOperationException never) {
                return null;
            }
        }

        static boolean refersToNull(Reference<Object> ref) {
            try {
                return (boolean) REFERS_TO.invokeExact((Reference<?>) ref, (Object) null);
            } catch (Throwable never) {
                return false;
            }
        }
    }
}
