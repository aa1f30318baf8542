package racewire.rt;

/** What the holders of a lock had done and knew when they released it: a {@link Past} in place. */
final class LockPast {
    /** Who unlocked it last, when, and what that thread knew; guarded by the lock itself. */
    int slot;
    long time;
    long[] full = Past.NOTHING;
    /** What the read locks' holders did since; null: nothing. Guarded by this object. */
    Past readers;
}
