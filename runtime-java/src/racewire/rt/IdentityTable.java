package racewire.rt;

import java.lang.ref.ReferenceQueue;
import java.util.Arrays;

/** A weak hash table by identity, whose entries are the references themselves. Guarded by itself. */
final class IdentityTable<R extends IdentityRef> {
    /** No list is that long, unless it is taken apart meanwhile. */
    private static final int LONG = 64;

    /** Tables with so many buckets to an entry shrink, unless they are small. */
    private static final int SPARSE = 16;
    private static final int SMALL = 256;

    private static final int FEW = 16;

    /** So many buckets, or entries, are looked through while others wait. */
    private static final int AT_A_TIME = 1024;

    /** Of the references that are put in; null if those whose objects are gone are looked for one by one. */
    final ReferenceQueue<Object> dead;
    private IdentityRef[] buckets;
    private int size;

    /** Those that were put in lately, of a table without a queue. */
    private IdentityRef[] latest = new IdentityRef[FEW];
    private int latestCount;

    /** {@code buckets}: a power of two. */
    IdentityTable(int buckets, ReferenceQueue<Object> dead) {
        this.buckets = new IdentityRef[buckets];
        this.dead = dead;
    }

    /** The entry of {@code object}, or null. */
    @SuppressWarnings("unchecked")
    synchronized R find(Object object, int hash) {
        for (IdentityRef r = buckets[bucket(hash)]; r != null; r = r.next) {
            if (r.hash == hash && r.get() == object) {
                return (R) r;
            }
        }
        return null;
    }

    /**
     * The same without waiting for anybody: may miss an entry while others put in or take out. Entries show themselves
     * whole by their final fields, and one whose object is not to be seen yet is not taken for the one that is looked for.
     */
    @SuppressWarnings("unchecked")
    R glimpse(Object object, int hash) {
        IdentityRef[] all = buckets;
        IdentityRef r = all[mixed(hash) & all.length - 1];
        for (int i = 0; r != null && i < LONG; i++) {
            if (r.hash == hash && r.get() == object) {
                return (R) r;
            }
            r = r.next;
        }
        return null;
    }

    /** A new entry for an object that has none. */
    synchronized void add(R made) {
        if (isFull()) {
            resize(buckets.length * 2);
        }
        put(made);
        size++;
        if (dead == null) {
            remember(made);
        }
    }

    /** The next entry will make the table larger. */
    boolean isFull() {
        return size >= buckets.length;
    }

    /** How many buckets there are. */
    synchronized int length() {
        return buckets.length;
    }

    /** There will be no need soon to look for more that are gone. */
    void growIfHalfFull() {
        if (size > buckets.length / 2) {
            resize(buckets.length * 2);
        }
    }

    private void remember(IdentityRef r) {
        if (latestCount == latest.length) {
            latest = Arrays.copyOf(latest, latestCount * 2);
        }
        latest[latestCount++] = r;
    }

    private void put(IdentityRef r) {
        int at = bucket(r.hash);
        r.next = buckets[at];
        buckets[at] = r;
    }

    /** Mixed, because who keeps several tables may choose among them by some of the bits. */
    private int bucket(int hash) {
        return mixed(hash) & buckets.length - 1;
    }

    private static int mixed(int hash) {
        return hash * 0x9E3779B9 >>> 7;
    }

    private void resize(int length) {
        IdentityRef[] old = buckets;
        buckets = new IdentityRef[length];
        for (IdentityRef r : old) {
            while (r != null) {
                IdentityRef next = r.next;
                put(r);
                r = next;
            }
        }
    }

    /** Takes out an entry whose object is gone, by the queue; null if there is none. */
    @SuppressWarnings("unchecked")
    synchronized R removeDead() {
        IdentityRef gone = (IdentityRef) dead.poll();
        if (gone == null) {
            shrink();
            return null;
        }
        remove(gone);
        return (R) gone;
    }

    /**
     * Takes out the entries whose objects are gone, from some buckets, beginning with this one; {@code table} is told of them.
     * The bucket to go on with, or -1. Without a queue: the collector's thread that fills it is slow where programs make
     * arrays by the million, or have one core, and each entry takes its lock twice.
     */
    @SuppressWarnings("unchecked")
    synchronized int removeGone(int from, PartedTable<R> table) {
        int to = Math.min(from + AT_A_TIME, buckets.length);
        for (int at = from; at < to; at++) {
            IdentityRef before = null;
            for (IdentityRef r = buckets[at]; r != null;) {
                IdentityRef next = r.next;
                if (Cleared.is(r)) {
                    remove(at, before, r);
                    table.gone((R) r);
                } else {
                    before = r;
                }
                r = next;
            }
        }
        if (to < buckets.length) {
            return to;
        }
        shrink();
        return -1;
    }

    /**
     * The same of those that were put in lately: those whose objects were there twice are not looked at again. Most objects do not last so
     * long; and G1 moves entries of which it has too many to where old ones are, and keeps their objects, whoever uses them.
     */
    void removeGoneOfLatest(PartedTable<R> table) {
        IdentityRef[] taken;
        int count;
        synchronized (this) {
            taken = latest;
            count = latestCount;
            if (count == 0) {
                return;
            }
            latest = new IdentityRef[FEW];
            latestCount = 0;
        }
        for (int from = 0; from < count; from += AT_A_TIME) {
            removeGone(taken, from, Math.min(from + AT_A_TIME, count), table);
        }
    }

    @SuppressWarnings("unchecked")
    private synchronized void removeGone(IdentityRef[] some, int from, int to, PartedTable<R> table) {
        for (int i = from; i < to; i++) {
            IdentityRef r = some[i];
            if (r.hasLeft) {
                continue;
            }
            if (Cleared.is(r)) {
                remove(r);
                table.gone((R) r);
            } else if (!r.wasThere) {
                r.wasThere = true;
                remember(r);
            }
        }
    }

    /** It may have left already. */
    private void remove(IdentityRef gone) {
        int at = bucket(gone.hash);
        IdentityRef before = null;
        for (IdentityRef r = buckets[at]; r != null; before = r, r = r.next) {
            if (r == gone) {
                remove(at, before, r);
                return;
            }
        }
    }

    private void remove(int bucket, IdentityRef before, IdentityRef gone) {
        if (before == null) {
            buckets[bucket] = gone.next;
        } else {
            before.next = gone.next;
        }
        size--;
        gone.hasLeft = true;
        // It may be old by now, and would keep those behind it until the old ones are collected.
        gone.next = null;
    }

    /** Programs make millions of arrays, and have some hundreds of them at a time. */
    private void shrink() {
        if (size < buckets.length / SPARSE && buckets.length > SMALL) {
            resize(Math.max(SMALL, Integer.highestOneBit(size) * 2));
        }
    }

    /** The entries, one list per bucket: see {@link IdentityRef#next}. For who holds the lock. */
    IdentityRef[] buckets() {
        return buckets;
    }
}
