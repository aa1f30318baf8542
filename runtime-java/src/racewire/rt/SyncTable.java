package racewire.rt;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;

/** A weak identity table from objects to what the runtime keeps for them. Guarded by itself. */
final class SyncTable {
    private static final SyncTable ALL = new SyncTable(1024);

    private final ReferenceQueue<Object> dead = new ReferenceQueue<>();
    private SyncRef[] buckets;
    private int size;

    SyncTable(int firstBuckets) {
        buckets = new SyncRef[firstBuckets];
    }

    /** The entry of {@code object} in the table of the process. */
    static SyncRef of(Object object, int hash) {
        return ALL.get(object, hash, true);
    }

    /** The same if there is one, else null. */
    static SyncRef peek(Object object) {
        return ALL.get(object, System.identityHashCode(object), false);
    }

    synchronized SyncRef get(Object object, int hash, boolean make) {
        for (SyncRef r = buckets[hash & buckets.length - 1]; r != null; r = r.next) {
            if (r.hash == hash && r.get() == object) {
                return r;
            }
        }
        if (!make) {
            return null;
        }
        drain();
        if (size >= buckets.length) {
            grow();
        }
        SyncRef made = new SyncRef(object, hash, dead);
        int at = hash & buckets.length - 1;
        made.next = buckets[at];
        buckets[at] = made;
        size++;
        return made;
    }

    synchronized void acquireAll(ThreadState me) {
        for (SyncRef first : buckets) {
            for (SyncRef r = first; r != null; r = r.next) {
                r.var.acquire(me);
            }
        }
    }

    private void grow() {
        SyncRef[] old = buckets;
        buckets = new SyncRef[old.length * 2];
        for (SyncRef r : old) {
            while (r != null) {
                SyncRef next = r.next;
                int at = r.hash & buckets.length - 1;
                r.next = buckets[at];
                buckets[at] = r;
                r = next;
            }
        }
    }

    private void drain() {
        for (Reference<?> gone = dead.poll(); gone != null; gone = dead.poll()) {
            SyncRef ref = (SyncRef) gone;
            int at = ref.hash & buckets.length - 1;
            SyncRef before = null;
            for (SyncRef r = buckets[at]; r != null; before = r, r = r.next) {
                if (r != ref) {
                    continue;
                }
                if (before == null) {
                    buckets[at] = r.next;
                } else {
                    before.next = r.next;
                }
                size--;
                break;
            }
        }
    }
}
