package racewire.rt;

import java.lang.reflect.Method;
import racewire.program.Program;

/** What the runtime and the plugins call the platforms, as JVMs there describe themselves. */
public final class Platforms {
    private static final String[][] DESCRIBED = {
        {"Linux", "amd64"}, {"Linux", "aarch64"}, {"Mac OS X", "x86_64"}, {"Mac OS X", "aarch64"}, {"Windows 11", "amd64"},
    };

    public static void main(String[] args) throws Exception {
        System.err.println(System.mapLibraryName("racewire_runtime"));
        for (String[] platform : DESCRIBED) {
            System.setProperty("os.name", platform[0]);
            System.setProperty("os.arch", platform[1]);
            System.out.println(NativeLibrary.platform() + " " + ask("platform") + " " + ask("fileName"));
        }
    }

    private static Object ask(String method) throws Exception {
        Method asked = Program.class.getDeclaredMethod(method);
        asked.setAccessible(true);
        return asked.invoke(null);
    }
}
