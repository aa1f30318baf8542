package jdk.internal.misc;

/** Signatures only, to compile {@code racewire.rt.MemInternal} against; never packaged. */
public final class Unsafe {
    private Unsafe() { }

    public static native Unsafe getUnsafe();

    public native long objectFieldOffset(java.lang.reflect.Field field);

    public native long objectFieldOffset(Class<?> owner, String name);

    public native long staticFieldOffset(java.lang.reflect.Field field);

    public native Object staticFieldBase(java.lang.reflect.Field field);

    public native long getLong(Object base, long offset);

    public native int getInt(Object base, long offset);

    public native void putInt(Object base, long offset, int value);

    public native void putLong(Object base, long offset, long value);

    public native boolean getBoolean(Object base, long offset);

    public native Object getReference(Object base, long offset);

    public native Object getObject(Object base, long offset);

    public native void putReference(Object base, long offset, Object value);

    public native void putObject(Object base, long offset, Object value);

    public native boolean compareAndSetLong(Object base, long offset, long expected, long value);

    public native boolean compareAndSetReference(Object base, long offset, Object expected, Object value);

    public native boolean compareAndSetObject(Object base, long offset, Object expected, Object value);

    public native void storeFence();

    public native void loadFence();

    public native void fullFence();
}
