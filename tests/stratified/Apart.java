package stratum1.rt;

import java.io.File;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.HashMap;
import java.util.Map;

/**
 * The native library of the runtime that is looked at. Its functions are bound to {@code racewire.rt.Native} by name, so
 * they are called there, in a copy of that class that belongs to nobody else.
 */
final class Apart {
    private static final Map<String, Method> FUNCTIONS = new HashMap<>();

    static {
        try {
            URL runtime = new File(System.getProperty("stratified.runtime")).toURI().toURL();
            ClassLoader apart = new URLClassLoader(new URL[] {runtime}, null);
            Method load = Class.forName("racewire.rt.NativeLibrary", true, apart).getDeclaredMethod("load");
            load.setAccessible(true);
            Object trouble = load.invoke(null);
            if (trouble != null) {
                throw new IllegalStateException(trouble.toString());
            }
            for (Method function : Class.forName("racewire.rt.Native", true, apart).getDeclaredMethods()) {
                function.setAccessible(true);
                FUNCTIONS.put(function.getName(), function);
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private Apart() { }

    static Object call(String function, Object... arguments) {
        if (function.equals("register")) {
            // Tables of sites begin with the name that the library knows.
            arguments[0] = ((String) arguments[0]).replace("stratum1", "racewire");
        }
        try {
            return FUNCTIONS.get(function).invoke(null, arguments);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
