import java.lang.reflect.Method;

/** Methods whose names are put together, or found among all of a class: each may be meant. */
public class ComputedNames {
    static class Target {
        int computed;
        int listed;
        int looked;

        public void callComputed() {
            computed++; // shared: computed
        }

        @Deprecated
        public void anyOther() {
            listed++; // shared: listed
        }
    }

    static void invoke(Method method, Object target) {
        try {
            method.invoke(target);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    static Method listed(Class<?> type) {
        for (Method method : type.getDeclaredMethods()) {
            if (method.isAnnotationPresent(Deprecated.class)) {
                return method;
            }
        }
        throw new IllegalStateException();
    }

    public static void main(String[] args) throws Exception {
        String ending = args.length > 0 ? args[0] : "Computed";
        Method computed = Target.class.getMethod("call" + ending);
        Method listed = listed(Target.class);
        Target target = new Target();
        Thread thread = new Thread(() -> {
            invoke(computed, target);
            invoke(listed, target);
        });
        thread.start();
        thread.join();
        invoke(computed, target);
        invoke(listed, target);
        System.out.println(target.computed + target.listed); // shared: computed, listed
        Target own = new Target();
        own.looked++; // local: looked
        System.out.println(own.looked); // local: looked
    }
}
