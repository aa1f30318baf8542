package racewire.rt;

import java.lang.reflect.Field;
import jdk.internal.misc.Unsafe;

/**
 * {@link RawMemory} for JDK 9 and later. Links only after the native library has exported {@code jdk.internal.misc}
 * to the module of this class: access is checked when the reference is resolved (JVMS 5.4.4).
 */
final class MemInternal extends RawMemory {
    private static final Unsafe U = Unsafe.getUnsafe();

    /** Newer JDKs renamed {@code getObject} to {@code getReference} (12) and later dropped the old name. */
    private static final boolean REFERENCE = hasGetReference();

    private static boolean hasGetReference() {
        try {
            U.getReference(new Probe(), U.objectFieldOffset(probe()));
            return true;
        } catch (NoSuchMethodError older) {
            return false;
        }
    }

    private static Field probe() {
        return Native.field(Probe.class, "it", "Ljava/lang/Object;", false);
    }

    private static final class Probe {
        Object it;
    }

    @Override
    long fieldOffset(Field field) {
        return U.objectFieldOffset(field);
    }

    /** Unlike JNI's field ids, this does not initialise the class, or wait for the thread that does. */
    @Override
    long offset(Class<?> owner, String name, String descriptor) {
        try {
            return U.objectFieldOffset(owner, name);
        } catch (NoSuchMethodError jdk9) {
            return super.offset(owner, name, descriptor);
        } catch (InternalError noSuchField) {
            return -1;
        }
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
        return REFERENCE ? U.getReference(base, offset) : U.getObject(base, offset);
    }

    @Override
    void putObject(Object base, long offset, Object value) {
        if (REFERENCE) {
            U.putReference(base, offset, value);
        } else {
            U.putObject(base, offset, value);
        }
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
        return U.compareAndSetLong(base, offset, expected, value);
    }

    @Override
    boolean compareAndSet(Object base, long offset, Object expected, Object value) {
        return REFERENCE ? U.compareAndSetReference(base, offset, expected, value)
                : U.compareAndSetObject(base, offset, expected, value);
    }
}
