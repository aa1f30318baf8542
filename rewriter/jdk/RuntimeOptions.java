import java.lang.reflect.Field;

/**
 * Prints the run-time options that the runtime itself knows, and those it leaves to the build plugins: one line each,
 * name, default and help, between tabs. Run by build.rs on the classes it has just compiled, so that help and docs
 * cannot say anything else than the runtime does.
 */
public final class RuntimeOptions {
    public static void main(String[] args) throws Exception {
        for (String table : args) {
            for (Object option : Class.forName(table).getEnumConstants()) {
                System.out.println(table + "\t" + get(option, "key") + "\t" + get(option, "fallback") + "\t"
                        + get(option, "help"));
            }
        }
    }

    private static Object get(Object option, String name) throws Exception {
        Field field = option.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(option);
    }
}
