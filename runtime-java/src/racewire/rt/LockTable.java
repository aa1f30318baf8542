package racewire.rt;

import java.lang.ref.ReferenceQueue;

/** Lock objects to ids, for the whole process. Ids of dead locks are given back. */
final class LockTable {
    private static final IdentityTable<LockRef> TABLE = new IdentityTable<>(1024, new ReferenceQueue<>());

    private LockTable() { }

    /** The lock's entry, made if need be; null if the native library has no id for it. */
    static LockRef of(Object lock, int hash) {
        // Threads that come to ever other locks would wait for each other here.
        LockRef known = TABLE.glimpse(lock, hash);
        if (known != null) {
            return known;
        }
        sweep();
        String description = LockIdentity.describe(lock, hash);
        synchronized (TABLE) {
            known = TABLE.find(lock, hash);
            if (known != null) {
                return known;
            }
            if (Counts.ON) {
                Counts.NATIVE.increment();
            }
            int id = Native.lock(description);
            if (id < 0) {
                return null;
            }
            LockRef made = LockRef.of(lock, hash, id, TABLE.dead);
            TABLE.add(made);
            return made;
        }
    }

    /** Takes out the entries of locks that are gone; whether there were any. */
    static boolean sweep() {
        LockRef gone = TABLE.removeDead();
        boolean found = gone != null;
        for (; gone != null; gone = TABLE.removeDead()) {
            Native.lockDead(gone.id);
        }
        return found;
    }
}
