package racewire.rt;

import java.security.AccessController;
import java.security.PrivilegedAction;

/** The runtime's one thread: it looks for deadlocks now and then, and after each collection sweeps the tables. */
final class Background implements Runnable {
    /** Of locks and the like the entries of a collection's dead come one by one: it waits so long for more of them. */
    private static final long MORE_MS = 20;
    /** Nothing more is to come if so many looks found nothing: the JVM's thread that queues the dead may be late. */
    private static final int IDLE_SWEEPS = 4;
    /**
     * After it has looked through all entries of arrays and the like, of which there may be millions, it rests so long for each bucket: some
     * fifty times what that took. Not by the clock, which goes on while others have the core.
     */
    private static final int REST_NANOS = 2_000;

    private static boolean begun;

    private final Deadlocks deadlocks = new Deadlocks();
    private final CollectorWatch collector = new CollectorWatch();

    private final PartedTable<?>[] tables = {ArrayRef.ALL, ContainerState.ALL, Frozen.all()};
    /** There was a collection since the last look through the latest entries. */
    private boolean isDue;
    /** And since the last look through all. */
    private boolean isAllDue;
    private long restsUntil = System.nanoTime();
    /** Looks for dead locks and the like that found nothing since the last collection. */
    private int idle = IDLE_SWEEPS;

    private Background() { }

    /** There is something to look at from now on. */
    static void begin() {
        if (begun) {
            return;
        }
        synchronized (Background.class) {
            if (begun) {
                return;
            }
            begun = true;
        }
        // A thread keeps the protection domains of those who made it, and so their class loaders, unless it is made like this.
        AccessController.doPrivileged(new PrivilegedAction<Void>() {
            // No lambda: the first one costs a JVM tens of milliseconds.
            @Override
            public Void run() {
                start();
                return null;
            }
        });
    }

    private static void start() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group != null && group.getParent() != null) {
            group = group.getParent();
        }
        Thread thread = thread(group, new Background(), "racewire-background");
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
        thread.start();
    }

    /** Without the thread locals of whoever came first: to inherit those may run the program's code. */
    private static Thread thread(ThreadGroup group, Runnable run, String name) {
        try {
            return Thread.class.getConstructor(ThreadGroup.class, Runnable.class, String.class, long.class, boolean.class)
                    .newInstance(group, run, name, 0L, false);
        } catch (ReflectiveOperationException beforeJava9) {
            return new Thread(group, run, name);
        }
    }

    @Override
    public void run() {
        try {
            Cleared.prepare();
            long looked = System.nanoTime();
            long rest = Deadlocks.EVERY_MS;
            while (!Monitoring.stopped) {
                long since = (System.nanoTime() - looked) / 1_000_000;
                if (since >= rest) {
                    rest = deadlocks.look();
                    Initialisation.look();
                    looked = System.nanoTime();
                } else if (collector.await(isSweeping() ? Math.min(MORE_MS, rest - since) : rest - since)) {
                    isDue = true;
                    // Once it is done with the last one: threads have to let go of something even if collections are frequent.
                    idle = idle < IDLE_SWEEPS ? idle : 0;
                    ThreadTable.clean();
                }
                sweep();
            }
        } catch (Throwable keptQuiet) {
            // See Hooks.
        }
    }

    private boolean isSweeping() {
        return isDue || idle < IDLE_SWEEPS;
    }

    /** Entries of objects that are gone leave the tables; they would stay until others come, and some programs end making any. */
    private void sweep() {
        if (isDue) {
            isDue = false;
            for (PartedTable<?> table : tables) {
                table.sweepLatest();
            }
            isAllDue = true;
        }
        if (isAllDue && (collector.isEmptier() || System.nanoTime() - restsUntil >= 0)) {
            isAllDue = false;
            long looked = 0;
            for (PartedTable<?> table : tables) {
                looked += table.sweep();
            }
            restsUntil = System.nanoTime() + looked * REST_NANOS;
        }
        if (idle < IDLE_SWEEPS) {
            idle = SyncTable.sweep() | LockTable.sweep() ? 0 : idle + 1;
            if (idle == IDLE_SWEEPS) {
                ThreadTable.letGo();
            }
        }
    }
}
