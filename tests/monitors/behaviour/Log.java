package behaviour;

import java.util.ArrayList;
import java.util.List;

public final class Log {
    private static final List<String> LINES = new ArrayList<>();
    public static volatile boolean throwAtUnlock;

    private Log() { }

    static synchronized void add(String line) {
        LINES.add(line);
    }

    public static synchronized String take() {
        String all = String.join("; ", LINES);
        LINES.clear();
        return all;
    }

    static String name(Object object) {
        return object instanceof Class ? ((Class<?>) object).getSimpleName() : object.getClass().getSimpleName();
    }
}
