package racewire.rt;

import java.util.concurrent.ForkJoinPool.ForkJoinWorkerThreadFactory;
import java.util.concurrent.ThreadFactory;

/** Ends of threads that are found out without {@code join}. */
public final class Threads {
    private Threads() { }

    /** Before a thread is given to somebody who will start it. */
    public static void starting(Object thread) {
        if (thread != null) {
            Hooks.beforeStart((Thread) thread);
        }
    }

    /** What to give to a pool in place of {@code factory}, so that its threads are seen to be made. */
    public static Object factory(Object factory) {
        // Others than lambdas tell by themselves, if they are woven.
        if (!Order.ON || factory == null || !Tasks.isLambda(factory)) {
            return factory;
        }
        if (factory instanceof ThreadFactory) {
            return (ThreadFactory) task -> made(factory, ((ThreadFactory) factory).newThread(task));
        }
        if (factory instanceof ForkJoinWorkerThreadFactory) {
            return (ForkJoinWorkerThreadFactory) pool ->
                    made(factory, ((ForkJoinWorkerThreadFactory) factory).newThread(pool));
        }
        return factory;
    }

    private static <T> T made(Object factory, T thread) {
        Makers.made(factory, thread);
        return thread;
    }

    public static void alive(Object thread, int alive) {
        if (alive == 0) {
            ended(thread);
        }
    }

    public static void joined(Object thread, int ended) {
        if (ended != 0) {
            ended(thread);
        }
    }

    private static void ended(Object thread) {
        if (Order.ON && thread != null) {
            try {
                ThreadTable.ended((Thread) thread);
                // Its task was seen to end, if the thread itself was not.
                Tasks.done(thread);
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }
}
