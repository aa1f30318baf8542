package racewire.rt;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;

/** A pool that has nothing to do any more: whoever finds that out knows what its threads did. */
public final class Quiescence {
    private Quiescence() { }

    /** {@code pool} was found quiet. */
    public static void found(Object pool) {
        if (!Order.ON || !(pool instanceof ForkJoinPool)) {
            return;
        }
        try {
            Sync.acquire(pool);
            Clock mine = ThreadTable.current().clock;
            for (ThreadState other : ThreadTable.all()) {
                Thread thread = other.get();
                // What it did was told when its task ended. It may begin with another task now: what that releases is not
                // known before it is.
                if (thread instanceof ForkJoinWorkerThread && other.clock != mine
                        && ((ForkJoinWorkerThread) thread).getPool() == pool) {
                    mine.learn(other.clock.released());
                }
            }
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
        }
    }

    /** The current thread has helped until its pool was quiet. */
    public static void helped() {
        Thread me = Thread.currentThread();
        found(me instanceof ForkJoinWorkerThread ? ((ForkJoinWorkerThread) me).getPool() : ForkJoinPool.commonPool());
    }
}
