package racewire.rt;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/** An object of the program, weakly, with its identity hash: what an {@link IdentityTable} holds. */
abstract class IdentityRef extends WeakReference<Object> {
    final int hash;
    /** Next in its bucket. */
    IdentityRef next;
    /** It has left its table, as its object is gone. To ask for the object instead would keep it from being collected. */
    boolean hasLeft;
    /** Its object was still there when its table's latest entries were looked through. */
    boolean wasThere;

    IdentityRef(Object object, int hash, ReferenceQueue<Object> dead) {
        super(object, dead);
        this.hash = hash;
    }

    /**
     * Lets go of references to what is gone, in what a thread keeps to find things sooner. Called by another one while that
     * thread goes on: it may lose a reference that it puts in at this moment, and then finds it in the table again.
     */
    static void letGo(IdentityRef[] kept) {
        for (int i = 0; i < kept.length; i++) {
            IdentityRef ref = kept[i];
            if (ref != null && ref.hasLeft) {
                kept[i] = null;
            }
        }
    }
}
