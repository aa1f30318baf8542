package racewire.rt;

/** What is handed over to a task by those who submit it, and by the task to those who wait for it. */
final class Handover {
    private static final SyncRef[] NONE = {};
    private static final int MAX_DEPTH = 64;

    private final SyncVar in = new SyncVar();
    private final SyncVar out = new SyncVar();
    /** Futures that are done before the task begins, or in whose place it is not run at all. */
    private volatile SyncRef[] after = NONE;
    /** What the task gave back is a future, which stands for its own. */
    private volatile SyncRef inner;
    /** Whoever collects results in the order in which they come. */
    private volatile SyncRef collector;
    private volatile boolean ended;
    /** Runs one after the other: each knows what the one before did. */
    private volatile boolean repeats;
    /** Made by this thread, to be run by it as a rule; null: by others as a rule. */
    private final Thread maker;
    /** Of which this is the part that joins results; null for most. */
    private final Handover whole;

    Handover(Thread maker) {
        this.maker = maker;
        whole = null;
    }

    private Handover(Handover whole) {
        maker = null;
        this.whole = whole;
    }

    Handover combiner() {
        return new Handover(this);
    }

    void submitted(Object first, Object second) {
        in.release();
        if (first != null || second != null) {
            SyncRef[] both = {ref(first), ref(second)};
            after = both;
        }
    }

    void after(Object... sources) {
        SyncRef[] refs = new SyncRef[sources.length];
        for (int i = 0; i < refs.length; i++) {
            refs[i] = ref(sources[i]);
        }
        after = refs;
    }

    private static SyncRef ref(Object o) {
        return o == null ? null : SyncTable.of(o, System.identityHashCode(o));
    }

    void repeats() {
        repeats = true;
    }

    void collectedBy(Object o) {
        collector = ref(o);
    }

    void gaveFuture(Object future) {
        inner = ref(future);
    }

    void begin() {
        if (maker == Thread.currentThread()) {
            return;
        }
        if (whole != null) {
            whole.combine();
            return;
        }
        in.acquire();
        if (repeats) {
            out.acquire();
        }
        for (SyncRef source : after) {
            acquire(source, 0);
        }
    }

    /** Some of the task's runs are over, and what they made is used. */
    void combine() {
        in.acquire();
        out.acquire();
        // The maker's own runs release nothing, being many and mostly its own business; it has ended those that matter.
        ThreadState made = maker == null || maker == Thread.currentThread() ? null : ThreadTable.peek(maker);
        if (Order.ON && made != null) {
            ThreadTable.current().clock.learn(made.clock.last());
        }
    }

    void end() {
        if (maker == Thread.currentThread()) {
            return;
        }
        if (whole != null) {
            whole.end();
            return;
        }
        out.release();
        SyncRef who = collector;
        if (who != null) {
            who.var.release();
        }
        ended = true;
    }

    /** To a thread that knows the task has ended. */
    void acquire() {
        acquire(0);
    }

    private void acquire(int depth) {
        out.acquire();
        acquire(inner, depth);
        if (!ended) {
            for (SyncRef source : after) {
                acquire(source, depth);
            }
        }
    }

    /** What became of a future that is done. */
    static void acquire(SyncRef future, int depth) {
        if (future == null || depth > MAX_DEPTH) {
            return;
        }
        future.var.acquire();
        Handover task = future.handover;
        if (task != null) {
            task.acquire(depth + 1);
        }
    }
}
