package racewire.rt;

import java.lang.ref.ReferenceQueue;

/** An object through which threads hand things over, weakly, with what the runtime keeps for it. */
final class SyncRef extends IdentityRef {
    /** What went through the object itself; null until something did. */
    private volatile SyncVar var;
    /** What went with each of its elements; null until there is one. */
    private volatile SyncTable elements;

    /** Its number in the trace of the run; 0 until it has one. */
    volatile long traced;

    /** The container that this object is a view of (see {@link Views}); null if it is none, or nobody has told. */
    volatile SyncRef owner;
    /** What this object, a handle, is for (see {@link Handles}). */
    volatile FieldKey field;
    /** It is a method handle that writes its field; others read theirs. */
    volatile boolean isSetter;
    /** What is handed over to this object, a task, and from it, or from the task whose future it is. */
    volatile Handover handover;

    /** Of a lock: where it was read optimistically. Guarded by this object, once there it stays. */
    private Optimistic.Sections sections;
    /** Of a future: which choices it may decide, or be too late for; see {@link Choice}. Guarded by this object. */
    private Choice[] choices;

    /** Of a barrier; null until somebody has come. Guarded by this object. */
    Barriers.Rounds rounds;

    SyncRef(Object object, int hash, ReferenceQueue<Object> dead) {
        super(object, hash, dead);
    }

    /** What goes through the object itself. */
    SyncVar var() {
        SyncVar known = var;
        return known != null ? known : makeVar();
    }

    private synchronized SyncVar makeVar() {
        if (var == null) {
            var = new SyncVar();
        }
        return var;
    }

    /** All that went through the object itself is known to this thread. */
    void acquire(ThreadState me) {
        SyncVar known = var;
        if (known != null) {
            known.acquire(me);
        }
    }

    /** For what goes with {@code element}; null if there is none and none is to be made. */
    SyncVar element(Object element, boolean make) {
        SyncTable all = elements;
        if (all == null && make) {
            all = makeElements();
        }
        SyncRef ref = all == null ? null : all.get(element, System.identityHashCode(element), make);
        return ref == null ? null : ref.var();
    }

    private synchronized SyncTable makeElements() {
        if (elements == null) {
            elements = new SyncTable(4);
        }
        return elements;
    }

    /** All that went in with elements is known to this thread. */
    void acquireElements(ThreadState me) {
        acquire(me);
        SyncTable all = elements;
        if (all != null) {
            all.acquireAll(me);
        }
    }

    synchronized boolean isReadOptimistically() {
        return sections != null;
    }

    synchronized Optimistic.Sections sections() {
        if (sections == null) {
            sections = new Optimistic.Sections();
        }
        return sections;
    }

    synchronized void watch(Choice choice) {
        choices = Choice.with(choices, choice, this);
    }

    /** Before the future is done. */
    void finishing() {
        Choice[] all;
        synchronized (this) {
            all = choices;
        }
        Choice.finishing(all, this);
    }
}
