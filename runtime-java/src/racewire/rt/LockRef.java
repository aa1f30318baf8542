package racewire.rt;

import java.lang.ref.ReferenceQueue;

/** A lock object, weakly, with the id the native library knows it by. */
class LockRef extends IdentityRef {
    final int id;

    LockRef(Object lock, int hash, int id, ReferenceQueue<Object> dead) {
        super(lock, hash, dead);
        this.id = id;
    }

    static LockRef of(Object lock, int hash, int id, ReferenceQueue<Object> dead) {
        return Order.ON ? new WithPast(lock, hash, id, dead) : new LockRef(lock, hash, id, dead);
    }

    /** What its holders did, where happens-before is looked at. */
    final LockPast past() {
        return ((WithPast) this).past;
    }

    /** Of its own, because programs make locks by the million: others do without it. */
    private static final class WithPast extends LockRef {
        final LockPast past = new LockPast();

        WithPast(Object lock, int hash, int id, ReferenceQueue<Object> dead) {
            super(lock, hash, id, dead);
        }
    }
}
