package racewire.rt;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/** A lock object, weakly, with the id the native library knows it by. */
final class LockRef extends WeakReference<Object> {
    final int id;
    final int hash;
    /** Next in its bucket of {@link LockTable}. */
    LockRef next;

    /** Who unlocked it last, when, and what that thread knew; guarded by the lock itself. */
    int slot;
    long time;
    long[] full = Past.NOTHING;
    /** What the read locks' holders did since; null: nothing. Guarded by this object. */
    Past readers;

    LockRef(Object lock, int hash, int id, ReferenceQueue<Object> dead) {
        super(lock, dead);
        this.hash = hash;
        this.id = id;
    }
}
