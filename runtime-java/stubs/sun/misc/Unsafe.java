package sun.misc;

/** Signatures only, to compile {@code racewire.rt.MemSun} against; never packaged. */
public final class Unsafe {
    private Unsafe() { }

    public native long objectFieldOffset(java.lang.reflect.Field field);

    public native long staticFieldOffset(java.lang.reflect.Field field);

    public native Object staticFieldBase(java.lang.reflect.Field field);

    public native long getLong(Object base, long offset);

    public native int getInt(Object base, long offset);

    public native void putInt(Object base, long offset, int value);

    public native void putLong(Object base, long offset, long value);

    public native boolean getBoolean(Object base, long offset);

    public native Object getObject(Object base, long offset);

    public native void putObject(Object base, long offset, Object value);

    public native boolean compareAndSwapLong(Object base, long offset, long expected, long value);

    public native boolean compareAndSwapObject(Object base, long offset, Object expected, Object value);

    public native void storeFence();

    public native void loadFence();

    public native void fullFence();
}
