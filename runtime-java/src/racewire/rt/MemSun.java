package racewire.rt;

import java.lang.reflect.Field;
import sun.misc.Unsafe;

/** {@link RawMemory} for Java 8, where {@code sun.misc.Unsafe} is open to everyone. */
final class MemSun extends RawMemory {
    private static final Unsafe U = unsafe();

    private static Unsafe unsafe() {
        try {
            Field f = Unsafe.class.getDeclaredField("theUnsafe");
            f.setAccessible(true);
            return (Unsafe) f.get(null);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("no sun.misc.Unsafe", e);
        }
    }

    @Override
    long fieldOffset(Field field) {
        return U.objectFieldOffset(field);
    }

    @Override
    long staticOffset(Field field) {
        return U.staticFieldOffset(field);
    }

    @Override
    Object staticBase(Field field) {
        return U.staticFieldBase(field);
    }

    @Override
    long getLong(Object base, long offset) {
        return U.getLong(base, offset);
    }

    @Override
    int getInt(Object base, long offset) {
        return U.getInt(base, offset);
    }

    @Override
    void putInt(Object base, long offset, int value) {
        U.putInt(base, offset, value);
    }

    @Override
    void putLong(Object base, long offset, long value) {
        U.putLong(base, offset, value);
    }

    @Override
    boolean getBoolean(Object base, long offset) {
        return U.getBoolean(base, offset);
    }

    @Override
    Object getObject(Object base, long offset) {
        return U.getObject(base, offset);
    }

    @Override
    void putObject(Object base, long offset, Object value) {
        U.putObject(base, offset, value);
    }

    @Override
    void storeFence() {
        U.storeFence();
    }

    @Override
    void loadFence() {
        U.loadFence();
    }

    @Override
    void fullFence() {
        U.fullFence();
    }

    @Override
    boolean compareAndSet(Object base, long offset, long expected, long value) {
        return U.compareAndSwapLong(base, offset, expected, value);
    }

    @Override
    boolean compareAndSet(Object base, long offset, Object expected, Object value) {
        return U.compareAndSwapObject(base, offset, expected, value);
    }
}
