package racewire.rt;

import java.lang.reflect.Field;

/** The operations on raw memory that the runtime needs; see {@link Mem} for who implements them. */
abstract class RawMemory {
    abstract long fieldOffset(Field field);

    /** Offset of an instance field that {@code owner} declares, or -1. */
    long offset(Class<?> owner, String name, String descriptor) {
        Field field = Native.field(owner, name, descriptor, false);
        return field == null ? -1 : fieldOffset(field);
    }

    abstract long staticOffset(Field field);

    abstract Object staticBase(Field field);

    abstract long getLong(Object base, long offset);

    abstract int getInt(Object base, long offset);

    abstract void putInt(Object base, long offset, int value);

    abstract void putLong(Object base, long offset, long value);

    abstract boolean getBoolean(Object base, long offset);

    abstract Object getObject(Object base, long offset);

    abstract void putObject(Object base, long offset, Object value);

    abstract void storeFence();

    abstract void loadFence();

    abstract void fullFence();

    abstract boolean compareAndSet(Object base, long offset, long expected, long value);

    abstract boolean compareAndSet(Object base, long offset, Object expected, Object value);
}
