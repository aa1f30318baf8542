import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** A JDK proxy: its InvocationHandler runs in the thread that calls the interface, also as a Runnable of a thread. */
public class DynamicProxy {
    interface Service {
        int serve(Cell cell);
    }

    static class Cell {
        int argument;
    }

    static class Handler implements InvocationHandler {
        int invoked;

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) {
            invoked++; // shared: invoked
            return arguments == null ? null : ((Cell) arguments[0]).argument++; // shared: argument
        }
    }

    /** A handler without a proxy. */
    static class LocalHandler implements InvocationHandler {
        int answered;

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) {
            return answered++; // local: answered
        }
    }

    static Object proxy(InvocationHandler handler) {
        Class<?>[] interfaces = {Service.class, Runnable.class};
        return Proxy.newProxyInstance(DynamicProxy.class.getClassLoader(), interfaces, handler);
    }

    public static void main(String[] args) throws Exception {
        Handler handler = new Handler();
        Object proxy = proxy(handler);
        Cell cell = new Cell();
        cell.argument = 1; // shared: argument
        Thread direct = new Thread((Runnable) proxy);
        Thread calling = new Thread(() -> ((Service) proxy).serve(cell));
        direct.start();
        direct.join();
        calling.start();
        calling.join();
        System.out.println(handler.invoked + cell.argument); // shared: invoked, argument
        LocalHandler local = new LocalHandler();
        local.invoke(null, null, null);
        System.out.println(local.answered); // local: answered
    }
}
