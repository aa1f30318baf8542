package racewire.rt;

/**
 * A weak hash table by identity for objects that programs make by the million, and of which most die young; its entries are
 * the references themselves. Guarded by itself.
 *
 * <p>New entries are in buckets that were made since the last collection: a reference to something young that is stored in
 * something old costs a generational collector a fence now and work later (with G1 a third of the time that a new entry took).
 * After a collection those that are left move to the older buckets. The dead are found by looking: a queue of references
 * costs each of them two locks.
 */
final class GenerationTable<R extends IdentityRef> {
    /** Powers of two. */
    private static final int SMALL = 16;
    /** So many old entries are looked at for each collection, in the long run, besides those that came. */
    private static final int LOOKS = 256;

    /** Who takes leave of entries. */
    interface Mourner<R> {
        /** Its object is no more. */
        void gone(R ref);
    }

    private IdentityRef[] young = new IdentityRef[SMALL];
    private int youngCount;
    private IdentityRef[] old = new IdentityRef[SMALL];
    private int oldCount;
    /** So many old entries may be looked at. */
    private int looks;
    /** The latest collection that it knows of. */
    private int asOf;

    /**
     * The entry of {@code object} without waiting for anybody, or null: may miss one while others put in or move. Entries show
     * themselves whole by their final fields, and one whose object is not to be seen yet is not taken for the one that is
     * looked for.
     */
    @SuppressWarnings("unchecked")
    R glimpse(Object object, int hash) {
        IdentityRef found = IdentityTable.glimpse(young, object, hash);
        return (R) (found != null ? found : IdentityTable.glimpse(old, object, hash));
    }

    /** The same for who holds the lock: misses none. */
    @SuppressWarnings("unchecked")
    R find(Object object, int hash) {
        IdentityRef found = IdentityTable.find(young, object, hash);
        return (R) (found != null ? found : IdentityTable.find(old, object, hash));
    }

    /** A new entry for an object that has none; for who holds the lock. */
    void add(R made, Mourner<R> mourner) {
        collected(mourner);
        if (++youngCount > young.length) {
            young = IdentityTable.resized(young, young.length * 2);
        }
        IdentityTable.put(young, made);
    }

    /** There was a collection, perhaps. */
    synchronized void collected(Mourner<R> mourner) {
        if (asOf == Background.collected) {
            return;
        }
        asOf = Background.collected;
        IdentityRef[] all = young;
        int came = youngCount;
        youngCount = 0;
        // As many as the last time, or fewer in the end.
        young = new IdentityRef[Math.max(SMALL, came == 0 ? SMALL : Integer.highestOneBit(came))];
        for (IdentityRef first : all) {
            move(first, mourner);
        }
        looks += LOOKS + 2 * came;
        if (looks >= oldCount) {
            looks = 0;
            lookThrough(mourner);
        }
    }

    private void move(IdentityRef first, Mourner<R> mourner) {
        IdentityRef next;
        for (IdentityRef r = first; r != null; r = next) {
            next = r.next;
            if (r.get() == null) {
                leave(r, mourner);
            } else {
                if (++oldCount > old.length) {
                    old = IdentityTable.resized(old, old.length * 2);
                }
                IdentityTable.put(old, r);
            }
        }
    }

    /** The old ones that are dead leave. */
    private void lookThrough(Mourner<R> mourner) {
        for (int at = 0; at < old.length; at++) {
            IdentityRef before = null;
            IdentityRef next;
            for (IdentityRef r = old[at]; r != null; r = next) {
                next = r.next;
                if (r.get() != null) {
                    before = r;
                } else {
                    if (before == null) {
                        old[at] = next;
                    } else {
                        before.next = next;
                    }
                    oldCount--;
                    leave(r, mourner);
                }
            }
        }
        if (oldCount < old.length / IdentityTable.SPARSE && old.length > IdentityTable.SMALL) {
            old = IdentityTable.resized(old, Math.max(IdentityTable.SMALL, Integer.highestOneBit(oldCount) * 2));
        }
    }

    @SuppressWarnings("unchecked")
    private void leave(IdentityRef r, Mourner<R> mourner) {
        // Threads may keep it for a while, and would keep those behind it.
        r.next = null;
        mourner.gone((R) r);
    }
}
