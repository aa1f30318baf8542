package racewire.rt;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Threads that go on when the JVM ends, and may be in a loop that walks through an array: such a loop tells what it did where
 * it is left, and keeps it in local variables until then. It comes to another element each round, so it ends before long, and
 * the end of the process can wait for it. No loop pays for that: where a thread is, its stack tells.
 */
final class Walkers {
    /** For all of them together: a daemon that does something else for ever in such a method must not keep the process. */
    private static final long PATIENCE_NS = 2_000_000_000L;
    /** There may be a million virtual threads. */
    private static final int MOST = 256;

    /** By name: where accesses are, of the classes that have made some. */
    private static final Map<String, WeakReference<SiteTable>> KNOWN = new ConcurrentHashMap<>();

    /** What the end needs of this: see {@link Exit}. */
    static final Class<?>[] NEEDED = {Walkers.class, Walker.class, Where.class, ArrayAccesses.class, Clock.class,
        Footprint.class, Footprints.class, SiteTable.class, ThreadState.class, ArrayList.class, Iterator.class, List.class,
        Map.class, WeakReference.class, StackTraceElement.class, StackTraceElement[].class,
        Thread.class, Thread.State.class, System.class, InterruptedException.class, String.class, Collection.class};

    private Walkers() { }

    static void know(Class<?> user, SiteTable table) {
        KNOWN.put(user.getName(), new WeakReference<>(table));
    }

    private static final class Walker {
        final ThreadState state;
        final Thread thread;
        private final int walks;

        Walker(ThreadState state, Thread thread) {
            this.state = state;
            this.thread = thread;
            // From now on each loop that is left is counted.
            Footprints.forget(state.tid);
            walks = walks();
        }

        private int walks() {
            ArrayAccesses done = state.clock.arrays;
            return done == null ? 0 : done.walks;
        }

        boolean isInLoop() {
            // First: one that is counted may not have told yet.
            boolean hasLeft = walks() != walks;
            Where where = where(thread);
            return where == Where.TELLING || where == Where.PERHAPS_IN_LOOP && !hasLeft;
        }
    }

    private enum Where { PERHAPS_IN_LOOP, TELLING, ELSEWHERE }

    /** Comes back when all have left the loops that they are in, or will not before long; never throws. */
    static void await() {
        try {
            awaitAll();
        } catch (Throwable keptQuiet) {
            // The findings that there are count more.
        }
    }

    private static void awaitAll() {
        List<Walker> walkers = new ArrayList<>();
        for (ThreadState state : ThreadTable.all()) {
            Thread thread = state.get();
            if (walkers.size() < MOST && thread != null && thread != Thread.currentThread()
                    && where(thread) != Where.ELSEWHERE) {
                walkers.add(new Walker(state, thread));
            }
        }
        long end = System.nanoTime() + PATIENCE_NS;
        while (!walkers.isEmpty() && System.nanoTime() - end < 0) {
            for (Iterator<Walker> it = walkers.iterator(); it.hasNext();) {
                if (!it.next().isInLoop()) {
                    it.remove();
                }
            }
            try {
                Thread.sleep(walkers.isEmpty() ? 0 : 1);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private static Where where(Thread thread) {
        boolean isRunning = thread.getState() == Thread.State.RUNNABLE;
        boolean isTelling = false;
        boolean isCalling = false;
        for (StackTraceElement at : thread.getStackTrace()) {
            String name = at.getClassName();
            if (name.startsWith(Names.RUNTIME_PACKAGE) || isLoading(name)) {
                // The first hook of a class finds much that is not loaded or linked yet.
                isTelling = true;
            } else if (!isOfJdk(name)) {
                isTelling |= at.getMethodName().startsWith(Names.PREFIX);
                return !walks(at) ? Where.ELSEWHERE : isTelling ? Where.TELLING
                        : isRunning && !isCalling ? Where.PERHAPS_IN_LOOP : Where.ELSEWHERE;
            } else {
                // Loops that make other calls have hooks inside.
                isCalling |= !isMath(name);
            }
        }
        return Where.ELSEWHERE;
    }

    private static boolean isOfJdk(String name) {
        return name.startsWith("java.") || name.startsWith("jdk.") || name.startsWith("sun.");
    }

    private static boolean isLoading(String name) {
        return name.startsWith("java.lang.invoke.") || name.equals("java.lang.ClassLoader")
                || name.startsWith("jdk.internal.loader.");
    }

    private static boolean isMath(String name) {
        return name.equals("java.lang.Math") || name.equals("java.lang.StrictMath") || name.startsWith("java.lang.FdLibm");
    }

    private static boolean walks(StackTraceElement at) {
        WeakReference<SiteTable> known = KNOWN.get(at.getClassName());
        SiteTable table = known == null ? null : known.get();
        // A class that has made no access may be in its first loop.
        return table == null || table.hasElements(at.getMethodName());
    }
}
