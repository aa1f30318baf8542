package invisible;

import java.util.concurrent.locks.LockSupport;

/**
 * Orders threads in time without ordering them in the detector's eyes: this package is excluded from weaving, so
 * neither its monitor nor its calls are seen. What it orders in the memory model of the real JVM is of no account:
 * verdicts depend on what is woven alone.
 */
public final class Stage {
    /** Far more than any case needs: a hang ends with a message. */
    private static final long PATIENCE_MS = 20_000;

    private int reached;

    /** Waits until stage {@code n} is reached. */
    public synchronized void await(int n) {
        long end = System.currentTimeMillis() + PATIENCE_MS;
        boolean interrupted = false;
        while (reached < n) {
            long left = end - System.currentTimeMillis();
            if (left <= 0) {
                throw new IllegalStateException("stage " + n + " was never reached");
            }
            try {
                wait(left);
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The same for a thread that stays interrupted while it waits. */
    public void awaitInterrupted(int n) {
        while (!isReached(n)) {
            LockSupport.parkNanos(100_000);
        }
    }

    private synchronized boolean isReached(int n) {
        return reached >= n;
    }

    /** Stage {@code n} is reached, and all before it. */
    public synchronized void reach(int n) {
        reached = Math.max(reached, n);
        notifyAll();
    }

    /** One more has come here; waits until {@code n} have. */
    public void meet(int n) {
        synchronized (this) {
            reached++;
            notifyAll();
        }
        await(n);
    }

    /** Waits until the thread has ended. */
    public static void ended(Thread thread) {
        until(thread, true);
    }

    /** Waits until the process has ended. */
    public static void ended(Process process) {
        long end = System.currentTimeMillis() + PATIENCE_MS;
        while (process.isAlive()) {
            if (System.currentTimeMillis() > end) {
                throw new IllegalStateException(process + " is still alive");
            }
            pause();
        }
    }

    /** Waits until the thread waits for something (or has ended). */
    public static void waits(Thread thread) {
        until(thread, false);
    }

    /** Waits until the thread runs a method of this name, that one itself and none that it calls (or has ended). */
    public static void runs(Thread thread, String method) {
        long end = System.currentTimeMillis() + PATIENCE_MS;
        for (;;) {
            StackTraceElement[] stack = thread.getStackTrace();
            if (stack.length > 0 && stack[0].getMethodName().equals(method)
                    || thread.getState() == Thread.State.TERMINATED) {
                return;
            }
            if (System.currentTimeMillis() > end) {
                throw new IllegalStateException(thread + " does not run " + method);
            }
        }
    }

    private static void until(Thread thread, boolean ended) {
        long end = System.currentTimeMillis() + PATIENCE_MS;
        for (int turn = 0; ; turn++) {
            switch (thread.getState()) {
                case TERMINATED:
                    return;
                case BLOCKED:
                case WAITING:
                case TIMED_WAITING:
                    if (!ended) {
                        return;
                    }
                    break;
                default:
                    break;
            }
            if (System.currentTimeMillis() > end) {
                throw new IllegalStateException(thread + " is still " + thread.getState());
            }
            if (turn < 50) {
                Thread.yield();
            } else {
                pause();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(0, 100_000);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
