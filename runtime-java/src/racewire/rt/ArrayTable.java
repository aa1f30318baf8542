package racewire.rt;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;

/** The arrays of the program to what was done to their elements: a weak identity table in many independent parts. */
final class ArrayTable {
    private static final int PARTS = 64;
    private static final ArrayTable[] TABLE = new ArrayTable[PARTS];

    static {
        for (int i = 0; i < PARTS; i++) {
            TABLE[i] = new ArrayTable();
        }
    }

    private final ReferenceQueue<Object> dead = new ReferenceQueue<>();
    private ArrayRef[] buckets = new ArrayRef[16];
    private int size;

    private ArrayTable() { }

    static ArrayRef of(Object array) {
        int hash = System.identityHashCode(array);
        return TABLE[hash & PARTS - 1].get(array, hash);
    }

    private static int bucket(int hash, int length) {
        return hash / PARTS & length - 1;
    }

    private synchronized ArrayRef get(Object array, int hash) {
        for (ArrayRef r = buckets[bucket(hash, buckets.length)]; r != null; r = r.next) {
            if (r.hash == hash && r.get() == array) {
                return r;
            }
        }
        for (Reference<?> gone = dead.poll(); gone != null; gone = dead.poll()) {
            remove((ArrayRef) gone);
        }
        if (size >= buckets.length) {
            grow();
        }
        ArrayRef made = new ArrayRef(array, hash, dead);
        int at = bucket(hash, buckets.length);
        made.next = buckets[at];
        buckets[at] = made;
        size++;
        return made;
    }

    private void grow() {
        ArrayRef[] old = buckets;
        buckets = new ArrayRef[old.length * 2];
        for (ArrayRef r : old) {
            while (r != null) {
                ArrayRef next = r.next;
                int at = bucket(r.hash, buckets.length);
                r.next = buckets[at];
                buckets[at] = r;
                r = next;
            }
        }
    }

    private void remove(ArrayRef gone) {
        int at = bucket(gone.hash, buckets.length);
        ArrayRef before = null;
        for (ArrayRef r = buckets[at]; r != null; before = r, r = r.next) {
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
