package racewire.rt;

import java.lang.ref.ReferenceQueue;

/** A lock object, weakly, with the id the native library knows it by. */
class LockRef extends IdentityRef {
    /** So often is where a lock was taken looked at, and no more until another lock is taken inside it. */
    private static final int LOOKS = 16;

    final int id;
    /** Threads may count at once: a look more or less does not matter. */
    private int looks = LOOKS;

    LockRef(Object lock, int hash, int id, ReferenceQueue<Object> dead) {
        super(lock, hash, dead);
        this.id = id;
    }

    /** Whether where the lock is taken now is worth a look: stacks are slow, and most locks have none inside. */
    final boolean isWorthALook() {
        // Counted down twice at once it may be below.
        if (looks <= 0) {
            return false;
        }
        looks--;
        return true;
    }

    /** Another lock was taken inside. */
    final void hasOthersInside() {
        looks = LOOKS;
    }

    static LockRef of(Object lock, int hash, int id, ReferenceQueue<Object> dead) {
        return Sections.ON ? new LockSections(lock, hash, id, dead)
                : Order.ON ? new WithPast(lock, hash, id, dead) : new LockRef(lock, hash, id, dead);
    }

    /** What its holders did, where happens-before is looked at. */
    final LockPast past() {
        return ((WithPast) this).past;
    }

    /** Of its own, because programs make locks by the million: others do without it. */
    static class WithPast extends LockRef {
        final LockPast past = new LockPast();
        /** Of the lock object's fields, if this entry is in their place, see {@link LockPlace}. Guarded by the class Readers. */
        Readers readers;

        WithPast(Object lock, int hash, int id, ReferenceQueue<Object> dead) {
            super(lock, hash, id, dead);
        }
    }

    /** What was done under it, where critical sections are looked into. */
    final LockSections sections() {
        return (LockSections) this;
    }
}
