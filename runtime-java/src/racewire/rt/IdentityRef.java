package racewire.rt;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/** An object of the program, weakly, with its identity hash: what an {@link IdentityTable} holds. */
abstract class IdentityRef extends WeakReference<Object> {
    final int hash;
    /** Next in its bucket. */
    IdentityRef next;

    IdentityRef(Object object, int hash, ReferenceQueue<Object> dead) {
        super(object, dead);
        this.hash = hash;
    }
}
