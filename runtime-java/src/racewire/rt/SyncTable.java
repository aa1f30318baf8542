package racewire.rt;

import java.lang.ref.ReferenceQueue;

/** Objects to what the runtime keeps for them: those of the process, or those that went through one of them. */
final class SyncTable {
    private static final SyncTable ALL = new SyncTable(1024);

    private final IdentityTable<SyncRef> table;

    SyncTable(int firstBuckets) {
        table = new IdentityTable<>(firstBuckets, new ReferenceQueue<>());
    }

    /** The entry of {@code object} in the table of the process. */
    static SyncRef of(Object object, int hash) {
        Background.begin();
        return ALL.get(object, hash, true);
    }

    /** The same if there is one, else null. */
    static SyncRef peek(Object object) {
        return ALL.get(object, System.identityHashCode(object), false);
    }

    SyncRef get(Object object, int hash, boolean make) {
        SyncRef seen = table.glimpse(object, hash);
        if (seen != null) {
            return seen;
        }
        synchronized (table) {
            SyncRef known = table.find(object, hash);
            if (known != null || !make) {
                return known;
            }
            removeDead();
            SyncRef made = new SyncRef(object, hash, table.dead);
            table.add(made);
            return made;
        }
    }

    /** Whether there were any. Nobody else knows of them. */
    private boolean removeDead() {
        boolean found = table.removeDead() != null;
        while (table.removeDead() != null) {
            // And the next one.
        }
        return found;
    }

    /** Takes the entries of objects that are gone out of the table of the process; whether there were any. */
    static boolean sweep() {
        return ALL.removeDead();
    }

    void acquireAll(ThreadState me) {
        synchronized (table) {
            for (IdentityRef first : table.buckets()) {
                for (IdentityRef r = first; r != null; r = r.next) {
                    ((SyncRef) r).acquire(me);
                }
            }
        }
    }
}
