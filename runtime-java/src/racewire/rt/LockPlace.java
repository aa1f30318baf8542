package racewire.rt;

import java.lang.ref.WeakReference;

/**
 * Where objects of a woven class keep the entry of their own monitor, which otherwise has to be found by its hash: HotSpot is
 * slow to tell the hash of an object whose monitor has been fought for. It is the place of their {@link Readers}, which the
 * entry then keeps.
 */
final class LockPlace extends WeakReference<Class<?>> {
    private static final int NOWHERE = -1;
    /** A power of two. */
    private static final int PLACES = 1 << 8;
    /** By a hash of the class: {@link ClassValue} takes several times as long. */
    private static final LockPlace[] LATELY = new LockPlace[PLACES];

    private static final ClassValue<LockPlace> ALL = new ClassValue<LockPlace>() {
        @Override
        protected LockPlace computeValue(Class<?> type) {
            return new LockPlace(type);
        }
    };

    /** {@link #NOWHERE}: objects of this class have no such place. */
    private final long offset;

    private LockPlace(Class<?> type) {
        super(type);
        long found = NOWHERE;
        // Arrays have no fields, and to ask for one would bring the JVM down; classes of the JDK are not woven.
        for (Class<?> c = type.isArray() ? null : type; found < 0 && c != null && c.getClassLoader() != null;
                c = c.getSuperclass()) {
            found = Mem.M.offset(c, Names.READERS, Names.READERS_TYPE);
        }
        offset = found;
    }

    private static LockPlace of(Object lock) {
        Class<?> type = lock.getClass();
        int at = System.identityHashCode(type) & PLACES - 1;
        LockPlace known = LATELY[at];
        if (known == null || known.get() != type) {
            known = ALL.get(type);
            LATELY[at] = known;
        }
        return known;
    }

    /** The entry that the object keeps, or null. */
    static LockRef peek(Object lock) {
        if (!Order.ON) {
            return null;
        }
        long at = of(lock).offset;
        Object kept = at < 0 ? null : Mem.M.getObject(lock, at);
        // A copy that nobody saw being made has its original's.
        return kept instanceof LockRef.WithPast && ((LockRef) kept).get() == lock ? (LockRef) kept : null;
    }

    /** The object keeps its entry from now on, if it has a place for it. */
    static void keep(Object lock, LockRef entry) {
        long at = Order.ON && entry != null ? of(lock).offset : NOWHERE;
        if (at >= 0) {
            synchronized (Readers.class) {
                Object there = Mem.M.getObject(lock, at);
                if (!(there instanceof LockRef.WithPast)) {
                    ((LockRef.WithPast) entry).readers = (Readers) there;
                    Mem.M.storeFence();
                    Mem.M.putObject(lock, at, entry);
                }
            }
        }
    }
}
