package racewire.rt;

import java.lang.reflect.Field;

/**
 * The fields that {@code racewire run} adds to {@code java.lang.Thread} (crate {@code racewire}, module
 * {@code thread_patch}): with them, the current thread's epoch is one load away. There may be several copies of the
 * runtime in a process; the first one to ask has them, the others go by the {@link ThreadTable}.
 */
final class PatchedThread {
    /** Offset of the epoch, a long that each constructor of the thread sets to {@link Epochs#NONE}; or -1. */
    private static final long EPOCH = Mem.privateOffset("java.lang.Thread", "$racewire$epoch", "J");
    private static final long STAMP = Mem.privateOffset("java.lang.Thread", "$racewire$stamp", "J");
    private static final long STATE = Mem.privateOffset("java.lang.Thread", "$racewire$state", "Ljava/lang/Object;");

    /** Whether the fields are there and ours: a constant to the JIT. */
    static final boolean OURS = EPOCH >= 0 && STAMP >= 0 && STATE >= 0 && claim();

    private PatchedThread() { }

    private static boolean claim() {
        Field claims = Native.field(Thread.class, "$racewire$claims", "J", true);
        return claims != null && Mem.M.compareAndSet(Mem.M.staticBase(claims), Mem.M.staticOffset(claims), 0, 1);
    }

    static long epoch() {
        return Mem.M.getLong(Thread.currentThread(), EPOCH);
    }

    static void setEpoch(long epoch) {
        Mem.M.putLong(Thread.currentThread(), EPOCH, epoch);
    }

    /** Set to {@link Stamps#NONE} by each constructor of the thread. */
    static long stamp() {
        return Mem.M.getLong(Thread.currentThread(), STAMP);
    }

    static void setStamp(long stamp) {
        Mem.M.putLong(Thread.currentThread(), STAMP, stamp);
    }

    /** null until {@link #setState}. */
    static ThreadState state() {
        return (ThreadState) Mem.M.getObject(Thread.currentThread(), STATE);
    }

    static void setState(ThreadState state) {
        Mem.M.putObject(Thread.currentThread(), STATE, state);
    }
}
