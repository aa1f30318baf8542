import java.lang.reflect.Method;

/** Runs the programs that are named, one after the other. */
public final class Programs {
    public static void main(String[] args) throws Exception {
        for (String name : args) {
            Method main = Class.forName(name).getMethod("main", String[].class);
            main.invoke(null, (Object) new String[0]);
        }
    }
}
