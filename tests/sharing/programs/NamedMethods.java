import java.lang.reflect.Method;

/** Methods that are called by a name that stands in the code, in two threads; nobody calls the others but main. */
public class NamedMethods {
    static class Target {
        int named;
        int overloaded;
        int unnamed;

        public void call() {
            named++; // shared: named
        }

        private void call(int times) {
            overloaded += times; // shared: overloaded
        }

        public void other() {
            unnamed++; // local: unnamed
        }
    }

    /** Of the same name, and nothing else in common. */
    static class Namesake {
        static int met;

        public static void call() {
            met++; // shared: met
        }
    }

    static void invoke(Method method, Object target, Object... arguments) {
        try {
            method.invoke(target, arguments);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    public static void main(String[] args) throws Exception {
        Method call = Target.class.getMethod("call");
        Method overloaded = Target.class.getDeclaredMethod("call", int.class);
        Method namesake = Namesake.class.getMethod("call");
        overloaded.setAccessible(true);
        Target target = new Target();
        Runnable calls = () -> {
            invoke(call, target);
            invoke(overloaded, target, 2);
            invoke(namesake, null);
        };
        calls.run();
        Thread thread = new Thread(calls);
        thread.start();
        thread.join();
        System.out.println(target.named + target.overloaded + Namesake.met); // shared: named, overloaded, met
        Target own = new Target();
        own.other();
        System.out.println(own.unnamed); // local: unnamed
    }
}
