package racewire.rt;

import java.lang.ref.ReferenceQueue;

/**
 * A lock with its critical sections that the native library knows of. Guarded by the lock itself: sections are noted
 * before it is released; those under read locks, which may be several at a time, also hold this object.
 */
final class LockSections extends LockRef.WithPast {
    /** Beyond this they are forgotten, and told of once more when they come again. */
    private static final int MOST = 256;

    /** Another number whenever the library wants to be told of sections that it knows: the last one of each, and the next. */
    int version;
    private KnownSections first;
    private int count;

    LockSections(Object lock, int hash, int id, ReferenceQueue<Object> dead) {
        super(lock, hash, id, dead);
    }

    KnownSections find(int thread, long sites) {
        for (KnownSections known = first; known != null; known = known.next) {
            if (known.sites == sites && known.thread == thread) {
                return known;
            }
        }
        return null;
    }

    void add(KnownSections known) {
        if (++count > MOST) {
            first = null;
            count = 1;
        }
        known.next = first;
        first = known;
    }

    /** The library needs more than it was told. */
    void stir(int lockCode) {
        version++;
        boolean again = false;
        for (KnownSections known = first; known != null; known = known.next) {
            again |= known.tellLatest(lockCode);
        }
        if (again) {
            version++;
        }
    }
}
