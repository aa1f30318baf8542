package racewire.rt;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/** A lock object, weakly, with the id the native library knows it by. */
final class LockRef extends WeakReference<Object> {
    final int id;
    final int hash;
    /** Next in its bucket of {@link LockTable}. */
    LockRef next;

    /** What its holders did; null unless happens-before is looked at: programs make locks by the million. */
    final LockPast past = Order.ON ? new LockPast() : null;

    LockRef(Object lock, int hash, int id, ReferenceQueue<Object> dead) {
        super(lock, dead);
        this.hash = hash;
        this.id = id;
    }
}
