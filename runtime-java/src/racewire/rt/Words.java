package racewire.rt;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;

/** The words of a cloned object: the copy is a new variable, so its words start at Virgin again. */
final class Words {
    private static final ClassValue<long[]> LONGS = new ClassValue<long[]>() {
        @Override
        protected long[] computeValue(Class<?> type) {
            return offsets(type, true);
        }
    };
    private static final ClassValue<long[]> OBJECTS = new ClassValue<long[]>() {
        @Override
        protected long[] computeValue(Class<?> type) {
            return offsets(type, false);
        }
    };

    private Words() { }

    static void reset(Object copy) {
        Class<?> type = copy.getClass();
        for (long offset : LONGS.get(type)) {
            Mem.M.putLong(copy, offset, 0);
        }
        for (long offset : OBJECTS.get(type)) {
            Mem.M.putObject(copy, offset, null);
        }
    }

    private static long[] offsets(Class<?> type, boolean longs) {
        long[] found = new long[8];
        int n = 0;
        for (Class<?> c = type; c != null && c != Object.class; c = c.getSuperclass()) {
            for (Field f : Native.fields(c)) {
                if (f.getName().startsWith(Names.PREFIX) && (f.getType() == long.class) == longs
                        && !Modifier.isStatic(f.getModifiers())) {
                    if (n == found.length) {
                        found = Arrays.copyOf(found, n * 2);
                    }
                    found[n++] = Mem.M.fieldOffset(f);
                }
            }
        }
        return Arrays.copyOf(found, n);
    }
}
