import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Method handles: invoked in a thread, bound to an object, and a getter of a field. */
public class HandleInvocations {
    int invoked;
    int bound;
    int seen;
    int viaSetter;

    void invoke() {
        invoked++; // shared: invoked
    }

    void bound() {
        bound++; // shared: bound
    }

    static void call(MethodHandle handle, Object... arguments) {
        try {
            handle.invokeWithArguments(arguments);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodType type = MethodType.methodType(void.class);
        MethodHandle invoke = lookup.findVirtual(HandleInvocations.class, "invoke", type);
        HandleInvocations object = new HandleInvocations();
        MethodHandle bound = lookup.bind(object, "bound", type);
        MethodHandle setter = lookup.findSetter(HandleInvocations.class, "viaSetter", int.class);
        object.invoked = 1; // shared: invoked
        object.bound = 2; // shared: bound
        object.viaSetter = 3; // shared: viaSetter
        Thread thread = new Thread(() -> {
            call(invoke, object);
            call(bound);
            call(setter, object, 4);
        });
        thread.start();
        thread.join();
        System.out.println(object.invoked + object.bound); // shared: invoked, bound
        System.out.println(object.viaSetter); // shared: viaSetter
        HandleInvocations local = new HandleInvocations();
        local.seen++; // local: seen
        System.out.println(local.seen); // local: seen
    }
}
