package racewire.rt;

import java.lang.reflect.Method;
import java.util.Optional;

/**
 * Requests of {@code java.net.http}: threads of the client call the handler of the answer, then the subscriber to its body
 * that the handler made, one call after the other. Who sends comes before them, they come before who has the answer.
 * By name, since the runtime must do without that module.
 */
public final class Http {
    private Http() { }

    private static final ClassValue<Boolean> SUBSCRIBERS = new ClassValue<Boolean>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return implementsOne(type, "java.net.http.HttpResponse$BodySubscriber");
        }
    };

    /** To the body of an answer. */
    static boolean isSubscriber(Object o) {
        return o != null && SUBSCRIBERS.get(o.getClass());
    }

    private static boolean implementsOne(Class<?> type, String name) {
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            for (Class<?> i : c.getInterfaces()) {
                if (i.getName().equals(name) || implementsOne(i, name)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Before {@code request} is sent, whose answer {@code handler} takes: what {@link #wrap} needs. */
    public static Object send(Object request, Object handler) {
        if (!Order.ON || handler == null) {
            return null;
        }
        try {
            Tasks.submit(publisher(request));
            SyncRef known = SyncTable.peek(handler);
            Handover handover = known == null ? null : known.handover;
            if (handover == null) {
                // One of the JDK's own runs nothing of the program's.
                return isOfJdk(handler.getClass()) ? null : Tasks.submit(handler);
            }
            // Made of something of the program's, by the JDK.
            handover.submitted(null, null);
            handover.releaseToSources();
            return handover;
        } catch (Throwable keptQuiet) {
            return null;
        }
    }

    /** What to give to the client in place of {@code handler}. */
    public static Object wrap(Object handler, Object token) {
        if (token == null || handler == null) {
            return handler;
        }
        SyncRef known = SyncTable.peek(handler);
        return known != null && known.handover == token ? handler : Tasks.wrap(handler, token);
    }

    /** Of the request's body; null: none of the program's. */
    private static Object publisher(Object request) throws ReflectiveOperationException {
        if (request == null || !isOfJdk(request.getClass())) {
            return null;
        }
        Method get = request.getClass().getSuperclass().getMethod("bodyPublisher");
        Object found = ((Optional<?>) get.invoke(request)).orElse(null);
        return found == null || isOfJdk(found.getClass()) ? null : found;
    }

    private static boolean isOfJdk(Class<?> type) {
        return type.getName().startsWith("java.net.http.") || type.getName().startsWith("jdk.internal.net.http.");
    }
}
