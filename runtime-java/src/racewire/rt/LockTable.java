package racewire.rt;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;

/** Lock objects to ids: a weak identity table for the whole process. Ids of dead locks are given back. */
final class LockTable {
    private static final ReferenceQueue<Object> DEAD = new ReferenceQueue<>();
    private static LockRef[] buckets = new LockRef[1024];
    private static int size;

    private LockTable() { }

    /** The lock's entry, made if need be; null if the native library has no id for it. */
    static LockRef of(Object lock, int hash) {
        drain();
        LockRef known = find(lock, hash);
        if (known != null) {
            return known;
        }
        String description = LockIdentity.describe(lock, hash);
        synchronized (DEAD) {
            known = find(lock, hash);
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
            if (size >= buckets.length) {
                grow();
            }
            LockRef made = LockRef.of(lock, hash, id, DEAD);
            int at = hash & buckets.length - 1;
            made.next = buckets[at];
            buckets[at] = made;
            size++;
            return made;
        }
    }

    private static LockRef find(Object lock, int hash) {
        synchronized (DEAD) {
            for (LockRef r = buckets[hash & buckets.length - 1]; r != null; r = r.next) {
                if (r.hash == hash && r.get() == lock) {
                    return r;
                }
            }
            return null;
        }
    }

    private static void grow() {
        LockRef[] old = buckets;
        LockRef[] wider = new LockRef[old.length * 2];
        for (LockRef r : old) {
            while (r != null) {
                LockRef next = r.next;
                int at = r.hash & wider.length - 1;
                r.next = wider[at];
                wider[at] = r;
                r = next;
            }
        }
        buckets = wider;
    }

    private static void drain() {
        for (Reference<?> dead = DEAD.poll(); dead != null; dead = DEAD.poll()) {
            LockRef gone = (LockRef) dead;
            synchronized (DEAD) {
                remove(gone);
            }
            Native.lockDead(gone.id);
        }
    }

    private static void remove(LockRef gone) {
        int at = gone.hash & buckets.length - 1;
        LockRef before = null;
        for (LockRef r = buckets[at]; r != null; before = r, r = r.next) {
            if (r == gone) {
                if (before == null) {
                    buckets[at] = r.next;
                } else {
                    before.next = r.next;
                }
                size--;
                return;
            }
        }
    }
}
