package racewire.rt;

import java.util.Arrays;
import java.util.concurrent.CompletionStage;

/** What is handed over to a task by those who submit it, and by the task to those who wait for it. */
final class Handover {
    private static final SyncRef[] NONE = {};
    private static final int MAX_DEPTH = 64;

    private final SyncVar in = new SyncVar();
    private final SyncVar out = new SyncVar();
    /** Futures that are done before the task begins, or in whose place it is not run at all. */
    private volatile SyncRef[] after = NONE;
    /** Of those, one is enough; null: all of them are done. */
    private volatile Choice choice;
    /** Futures that tell of the task, where they are part of a choice. */
    private volatile SyncRef[] chosenFrom = NONE;
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

    /** Not before what is released to {@code source}, either. */
    synchronized void alsoAfter(Object source) {
        SyncRef ref = ref(source);
        for (SyncRef known : after) {
            if (known == ref) {
                return;
            }
        }
        SyncRef[] more = Arrays.copyOf(after, after.length + 1);
        more[after.length] = ref;
        after = more;
    }

    /** Those that it comes after are told what the current thread has done: they begin with it. */
    void releaseToSources() {
        for (SyncRef source : after) {
            if (source != null) {
                source.var().release();
            }
        }
    }

    /** The first of them that is done counts, not the others. */
    void eitherOf() {
        choice = new Choice(after);
    }

    /** {@code future}, which waits for the first of them, was made. */
    void toldBy(Object future) {
        Choice of = choice;
        if (of != null) {
            of.toldBy(future);
        }
    }

    /** {@code future} tells of this task, and is part of a choice. */
    synchronized void watch(SyncRef future) {
        for (SyncRef known : chosenFrom) {
            if (known == future) {
                return;
            }
        }
        SyncRef[] more = Arrays.copyOf(chosenFrom, chosenFrom.length + 1);
        more[chosenFrom.length] = future;
        chosenFrom = more;
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

    /** Another task is part of this one, perhaps in other threads: both are done at the same time. */
    void goesOnWith(SyncRef part) {
        SyncRef before = inner;
        inner = part;
        if (before != null && before != part && part.handover != null) {
            part.handover.inner = before;
        }
    }

    /** What the task gave back: a future, or somebody who goes on with its work. */
    void gave(Object result) {
        if (result instanceof CompletionStage) {
            gaveFuture(result);
        } else if (Http.isSubscriber(result)) {
            // Whoever calls it has it from this task.
            Sync.release(result);
            gaveFuture(result);
        }
    }

    void begin() {
        if (maker == Thread.currentThread()) {
            // What others made for this part of a pipeline.
            acquire(inner, 0);
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
        Choice of = choice;
        if (of != null) {
            of.made();
        }
        acquireSources(0);
    }

    private void acquireSources(int depth) {
        Choice of = choice;
        for (SyncRef source : after) {
            if (of == null || source == null || !of.isLate(source)) {
                acquire(source, depth);
            }
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
            if (Order.ON) {
                // It releases nothing, see combine.
                ThreadTable.current().clock.tell();
            }
            return;
        }
        if (whole != null) {
            whole.end();
            return;
        }
        for (SyncRef future : chosenFrom) {
            future.finishing();
        }
        out.release();
        SyncRef who = collector;
        if (who != null) {
            who.var().release();
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
            acquireSources(depth);
        }
    }

    /** What became of a future that is done. */
    static void acquire(SyncRef future, int depth) {
        if (future == null || depth > MAX_DEPTH) {
            return;
        }
        future.var().acquire();
        Handover task = future.handover;
        if (task != null) {
            task.acquire(depth + 1);
        }
    }
}
