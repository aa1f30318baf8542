package racewire.rt;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountedCompleter;
import java.util.concurrent.TimeoutException;

/**
 * Tasks and futures. Who submits a task comes before it, and it comes before whoever finds its future done. A task that
 * is a lambda gets a wrapper, which sees it begin and end; lambdas have no identity that a program could count on. Any
 * other task is known by the object: its class, if woven, calls {@link #begin} and {@link #end}.
 */
public final class Tasks {
    private Tasks() { }

    // ---- around the calls that submit

    /** Before {@code task} is submitted: what {@link #wrap} and {@link #tie} need. */
    public static Object submit(Object task) {
        return submit(task, null, null);
    }

    /** It runs once {@code source} is done. */
    public static Object submit(Object task, Object source) {
        return submit(task, source, null);
    }

    public static Object submit(Object task, Object first, Object second) {
        if (!Order.ON || task == null) {
            return null;
        }
        try {
            Handover handover = of(task);
            handover.submitted(first, second);
            return handover;
        } catch (Throwable keptQuiet) {
            return null;
        }
    }

    /** Its runs follow each other. */
    public static void repeats(Object token) {
        if (token != null) {
            ((Handover) token).repeats();
        }
    }

    /** Its result will be collected by {@code service}, perhaps before {@link #tie} is called. */
    public static void collected(Object token, Object service) {
        if (token != null) {
            ((Handover) token).collectedBy(service);
        }
    }

    /** A function of the pipeline {@code stream}, which other threads may run. */
    public static Object stage(Object stream, Object function) {
        if (!Order.ON || stream == null) {
            return null;
        }
        try {
            SyncRef ref = SyncTable.of(stream, System.identityHashCode(stream));
            Handover handover = ref.handover;
            if (handover == null) {
                handover = new Handover(Thread.currentThread());
                ref.handover = handover;
            }
            handover.submitted(null, null);
            return handover;
        } catch (Throwable keptQuiet) {
            return null;
        }
    }

    /** Before a pipeline is run. */
    public static Object run(Object stream) {
        return stage(stream, null);
    }

    /** After it was. */
    public static void ran(Object token) {
        if (token != null) {
            ((Handover) token).acquire();
        }
    }

    /** What to submit in place of {@code task}. */
    public static Object wrap(Object task, Object token) {
        if (token == null || task == null || task instanceof Wrapper) {
            return task;
        }
        try {
            if (!isLambda(task)) {
                used = true;
                tie(task, token);
                return task;
            }
            return Wrappers.wrap(task, (Handover) token);
        } catch (Throwable keptQuiet) {
            return task;
        }
    }

    /** The same for a function that is given what others of the pipeline have made. */
    public static Object wrapCombiner(Object function, Object token) {
        return token == null ? function : wrap(function, ((Handover) token).combiner());
    }

    /** {@code future} tells of the task. */
    public static void tie(Object future, Object token) {
        if (token != null && future != null) {
            try {
                SyncTable.of(future, System.identityHashCode(future)).handover = (Handover) token;
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }

    /** {@code future} is done when {@code source}, or those in it if it is an array, are. */
    public static void derive(Object future, Object source) {
        if (!Order.ON || future == null || source == null || future == source) {
            return;
        }
        try {
            Handover handover = new Handover(null);
            handover.after(source instanceof Object[] ? (Object[]) source : new Object[] {source});
            tie(future, handover);
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
        }
    }

    /** Before a call that gives a future which is done as soon as one of {@code sources} is. */
    public static Object anyOf(Object sources) {
        if (!Order.ON || !(sources instanceof Object[])) {
            return null;
        }
        try {
            Handover handover = new Handover(null);
            handover.after((Object[]) sources);
            handover.eitherOf();
            return handover;
        } catch (Throwable keptQuiet) {
            return null;
        }
    }

    /** {@code future} is the one. */
    public static void decides(Object future, Object token) {
        if (token != null && future != null) {
            ((Handover) token).toldBy(future);
            tie(future, token);
        }
    }

    /** It runs once one of the futures that it was submitted to come after is done. */
    public static void afterEither(Object token) {
        if (token != null) {
            try {
                ((Handover) token).eitherOf();
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }

    /** Before {@code future} is done by hand. */
    public static void finishing(Object future) {
        if (Order.ON && future != null) {
            try {
                SyncRef known = SyncTable.peek(future);
                if (known != null) {
                    known.finishing();
                }
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }

    /** {@code result} goes on with the pipeline {@code stream}. */
    public static void sameStream(Object result, Object stream) {
        if (result != stream) {
            tie(result, run(stream));
            try {
                Elements.streamedOn(result, stream);
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }

    /** {@code future} was made as one that is done. */
    public static void completed(Object future) {
        Sync.release(future);
    }

    // ---- many at once

    public static void submitted(Object task) {
        submit(task);
    }

    /** Before all tasks of a collection or an array are run. */
    public static void submittedAll(Object tasks) {
        for (Object task : all(tasks)) {
            submit(task);
        }
    }

    /** After they were. */
    public static void doneAll(Object tasks) {
        for (Object task : all(tasks)) {
            done(task);
        }
    }

    private static Object[] all(Object tasks) {
        if (!Order.ON) {
            return new Object[0];
        }
        if (tasks instanceof Object[]) {
            return (Object[]) tasks;
        }
        try {
            return isOfJdk(tasks) ? ((Collection<?>) tasks).toArray() : new Object[0];
        } catch (Throwable keptQuiet) {
            return new Object[0];
        }
    }

    /** Before all of a collection are submitted. */
    public static Object submitAll(Object tasks) {
        if (!Order.ON || !isOfJdk(tasks)) {
            return null;
        }
        Handover handover = new Handover(null);
        handover.submitted(null, null);
        return handover;
    }

    /** What to submit in place of a collection. */
    public static Object wrapAll(Object tasks, Object token) {
        if (token == null) {
            return tasks;
        }
        try {
            List<Object> wrapped = new ArrayList<>();
            for (Object task : (Collection<?>) tasks) {
                wrapped.add(wrap(task, token));
            }
            return wrapped;
        } catch (Throwable keptQuiet) {
            return tasks;
        }
    }

    private static boolean isOfJdk(Object o) {
        return o instanceof Collection && o.getClass().getClassLoader() == null;
    }

    // ---- around the calls that wait

    /** {@code future} is done. */
    public static void done(Object future) {
        if (Order.ON && future != null) {
            try {
                ThreadState me = ThreadTable.current();
                me.awaited = null;
                Handover.acquire(me.sync(future), 0);
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }

    /**
     * Before a call that waits for {@code future}. If the task has failed, the call makes an exception of its own, and that
     * one's constructor calls {@code toString} of the task's: the program's code, when the task is done and the call is not.
     */
    public static void awaited(Object future) {
        if (Order.ON) {
            try {
                ThreadTable.current().awaited = future;
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }

    /** A field of an exception is accessed, in such a call perhaps: what the task has done by now is known. */
    static void asked(ThreadState me) {
        Handover.acquire(me.sync(me.awaited), 0);
    }

    /** A call that waits for {@code future} has thrown this: because of what the task did, or of something else. */
    public static void failed(Object future, Object thrown) {
        awaited(null);
        if (!(thrown instanceof TimeoutException || thrown instanceof InterruptedException
                || thrown instanceof CancellationException)) {
            done(future);
        }
    }

    /** {@code future} is in this state. */
    public static void state(Object future, Object state) {
        if (state instanceof Enum && !((Enum<?>) state).name().equals("RUNNING")) {
            done(future);
        }
    }

    /** {@code future} is done, and came out of {@code service}. */
    public static void received(Object service, Object future) {
        if (Order.ON && future != null) {
            try {
                SyncRef known = SyncTable.peek(future);
                if (known == null || known.handover == null) {
                    // Its submitter has not come to tie it yet.
                    Sync.acquire(service);
                } else {
                    Handover.acquire(known, 0);
                }
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }

    /** Before a completer counts itself done: whoever counts last runs what comes after all. */
    public static void completing(Object task) {
        if (Order.ON && task instanceof CountedCompleter) {
            for (CountedCompleter<?> c = (CountedCompleter<?>) task; c != null; c = c.getCompleter()) {
                Sync.release(c);
            }
        }
    }

    // ---- in the tasks

    /** The body of {@code task} begins: called by woven classes. */
    public static void begin(Object task) {
        if (Order.ON && used) {
            try {
                SyncRef known = SyncTable.peek(task);
                if (known == null) {
                    return;
                }
                known.var().acquire();
                Handover handover = known.handover;
                if (handover != null) {
                    handover.begin();
                }
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }

    /** It is about to give this back. */
    public static void gave(Object task, Object result) {
        if (Order.ON && result != null && (used || result instanceof CompletionStage)) {
            try {
                SyncRef known = SyncTable.peek(task);
                Handover handover = known == null ? null : known.handover;
                if (handover != null) {
                    handover.gave(result);
                } else if (known != null && Http.isSubscriber(task)) {
                    // It has taken in all of an answer when what it gives is done.
                    Handover body = new Handover(null);
                    body.gaveFuture(result);
                    known.handover = body;
                }
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }

    /** It ends, one way or the other. */
    public static void end(Object task) {
        if (Order.ON && used) {
            try {
                SyncRef known = SyncTable.peek(task);
                Handover handover = known == null ? null : known.handover;
                if (handover != null) {
                    handover.end();
                }
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }

    // ---- details

    /** Some task was no lambda. */
    private static volatile boolean used;

    private static Handover of(Object task) {
        if (task instanceof Wrapper) {
            return ((Wrapper) task).handover;
        }
        if (isLambda(task)) {
            return new Handover(null);
        }
        used = true;
        SyncRef ref = SyncTable.of(task, System.identityHashCode(task));
        Handover known = ref.handover;
        if (known == null) {
            synchronized (ref) {
                known = ref.handover;
                if (known == null) {
                    known = new Handover(null);
                    ref.handover = known;
                }
            }
        }
        return known;
    }

    private static final ClassValue<Boolean> LAMBDAS = new ClassValue<Boolean>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return type.isSynthetic() && type.getName().contains("$$Lambda")
                    && !Serializable.class.isAssignableFrom(type) && type.getInterfaces().length == 1;
        }
    };

    static boolean isLambda(Object o) {
        return LAMBDAS.get(o.getClass());
    }
}
