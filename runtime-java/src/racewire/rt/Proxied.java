package racewire.rt;

import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * Runs a lambda of any interface in its place, and tells when it begins and ends: for the many kinds of listeners and
 * handlers that have no {@link Wrapper}. A proxy calls slowly, so what is called for every element of something has one.
 */
final class Proxied implements InvocationHandler {
    /** The one of each lambda, for those who take listeners away again. */
    private static final Map<Object, WeakReference<Object>> KNOWN = new WeakHashMap<>();

    private final Object lambda;
    final Handover handover;

    private Proxied(Object lambda, Handover handover) {
        this.lambda = lambda;
        this.handover = handover;
    }

    /** The lambda itself if its interface is nobody else's business. */
    static Object wrap(Object lambda, Handover handover) {
        Class<?> type = lambda.getClass().getInterfaces()[0];
        if (!Modifier.isPublic(type.getModifiers()) || !isExported(type)) {
            return lambda;
        }
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, new Proxied(lambda, handover));
    }

    /** Whether its methods may be called from here; what a module keeps for itself may not. */
    private static boolean isExported(Class<?> type) {
        try {
            Method getModule = Class.class.getMethod("getModule");
            Object module = getModule.invoke(type);
            String name = type.getName();
            String inPackage = name.substring(0, Math.max(0, name.lastIndexOf('.')));
            Method isExported = module.getClass().getMethod("isExported", String.class, module.getClass());
            return (Boolean) isExported.invoke(module, inPackage, getModule.invoke(Proxied.class));
        } catch (NoSuchMethodException before9) {
            return true;
        } catch (ReflectiveOperationException cannotBe) {
            return false;
        }
    }

    /** The same, always the same for one lambda. */
    static Object only(Object lambda) {
        synchronized (KNOWN) {
            Object known = known(lambda);
            if (known == lambda) {
                known = wrap(lambda, new Handover(null));
                KNOWN.put(lambda, new WeakReference<>(known));
            }
            return known;
        }
    }

    /** What {@link #only} gave for it; else itself. */
    static Object known(Object lambda) {
        synchronized (KNOWN) {
            WeakReference<Object> ref = KNOWN.get(lambda);
            Object known = ref == null ? null : ref.get();
            return known == null ? lambda : known;
        }
    }

    /** Null: it is no such proxy. */
    static Handover handover(Object o) {
        if (!Proxy.isProxyClass(o.getClass())) {
            return null;
        }
        InvocationHandler handler = Proxy.getInvocationHandler(o);
        return handler instanceof Proxied ? ((Proxied) handler).handover : null;
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        if (method.getDeclaringClass() == Object.class) {
            // As a lambda's own: by identity.
            return method.getName().equals("equals") ? (Object) (arguments[0] == proxy) : method.invoke(lambda, arguments);
        }
        handover.begin();
        try {
            Object result = method.invoke(lambda, arguments);
            handover.gave(result);
            return result;
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        } finally {
            handover.end();
        }
    }
}
