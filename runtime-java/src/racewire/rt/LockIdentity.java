package racewire.rt;

import java.util.concurrent.locks.AbstractQueuedLongSynchronizer;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock.ReadLock;
import java.util.concurrent.locks.ReentrantReadWriteLock.WriteLock;

/**
 * Which object stands for a lock. A monitor stands for itself. The locks of the JDK stand for the synchronizer
 * inside them, which the two views of a read-write lock and the conditions of a lock share; it is read as
 * memory, never asked for, so that no overridden method runs. Other implementations stand for themselves.
 */
final class LockIdentity {
    private static final String LOCKS = "java.util.concurrent.locks.";
    private static final String SYNC = "L" + (LOCKS + "ReentrantLock$Sync;").replace('.', '/');
    private static final String RW_SYNC = "L" + (LOCKS + "ReentrantReadWriteLock$Sync;").replace('.', '/');
    private static final String STAMPED = "L" + (LOCKS + "StampedLock;").replace('.', '/');

    private static final long REENTRANT = Mem.privateOffset(LOCKS + "ReentrantLock", "sync", SYNC);
    private static final long READ = Mem.privateOffset(LOCKS + "ReentrantReadWriteLock$ReadLock", "sync", RW_SYNC);
    private static final long WRITE = Mem.privateOffset(LOCKS + "ReentrantReadWriteLock$WriteLock", "sync", RW_SYNC);

    private static final Class<?> STAMPED_READ = jdkClass("StampedLock$ReadLockView");
    private static final Class<?> STAMPED_WRITE = jdkClass("StampedLock$WriteLockView");
    private static final long STAMPED_READ_OUTER = outer("StampedLock$ReadLockView", STAMPED);
    private static final long STAMPED_WRITE_OUTER = outer("StampedLock$WriteLockView", STAMPED);

    private static final long CONDITION_OUTER = outer("AbstractQueuedSynchronizer$ConditionObject",
            "L" + (LOCKS + "AbstractQueuedSynchronizer;").replace('.', '/'));
    private static final long LONG_CONDITION_OUTER = outer("AbstractQueuedLongSynchronizer$ConditionObject",
            "L" + (LOCKS + "AbstractQueuedLongSynchronizer;").replace('.', '/'));

    private LockIdentity() { }

    /** The object that stands for {@code lock}; null for null. */
    static Object of(Lock lock) {
        if (lock instanceof ReentrantLock) {
            return inside(lock, REENTRANT);
        }
        if (lock instanceof ReadLock) {
            return inside(lock, READ);
        }
        if (lock instanceof WriteLock) {
            return inside(lock, WRITE);
        }
        if (lock == null) {
            return null;
        }
        Class<?> type = lock.getClass();
        if (type == STAMPED_READ) {
            return inside(lock, STAMPED_READ_OUTER);
        }
        if (type == STAMPED_WRITE) {
            return inside(lock, STAMPED_WRITE_OUTER);
        }
        return lock;
    }

    /** Whether {@code lock} is exactly one of the JDK's: no method of it has been overridden. */
    static boolean isPlain(Lock lock) {
        Class<?> type = lock.getClass();
        return type == ReentrantLock.class || type == ReadLock.class || type == WriteLock.class;
    }

    /** Whether holders of {@code lock} do not exclude each other. */
    static boolean isShared(Lock lock) {
        return lock instanceof ReadLock || lock != null && lock.getClass() == STAMPED_READ;
    }

    /** The object that stands for the lock that {@code condition} belongs to; null if that cannot be known. */
    static Object of(Condition condition) {
        if (condition instanceof AbstractQueuedSynchronizer.ConditionObject && CONDITION_OUTER >= 0) {
            return Mem.M.getObject(condition, CONDITION_OUTER);
        }
        if (condition instanceof AbstractQueuedLongSynchronizer.ConditionObject && LONG_CONDITION_OUTER >= 0) {
            return Mem.M.getObject(condition, LONG_CONDITION_OUTER);
        }
        return null;
    }

    /** As a finding names the lock: {@code com.acme.Bank@77ab}, {@code com.acme.Bank.class}. */
    static String describe(Object identity, int hash) {
        if (identity instanceof Class) {
            return ((Class<?>) identity).getTypeName() + ".class";
        }
        String type = identity.getClass().getTypeName();
        int inner = type.startsWith(LOCKS) ? type.indexOf('$') : -1;
        // ReentrantLock$NonfairSync is how the JDK spells ReentrantLock.
        return (inner < 0 ? type : type.substring(0, inner)) + "@" + Integer.toHexString(hash);
    }

    private static Object inside(Lock lock, long offset) {
        Object sync = offset < 0 ? null : Mem.M.getObject(lock, offset);
        // Still under construction, or a JDK that lays its locks out differently.
        return sync == null ? lock : sync;
    }

    private static long outer(String type, String outerType) {
        return Mem.privateOffset(LOCKS + type, "this$0", outerType);
    }

    private static Class<?> jdkClass(String name) {
        try {
            return Class.forName(LOCKS + name);
        } catch (Throwable absent) {
            return null;
        }
    }
}
