package baton;

import java.util.ArrayList;
import java.util.List;

/**
 * Forces one interleaving: step {@code n} of a script runs when steps {@code 0 .. n-1} are done, on whatever
 * thread. This package is excluded from weaving, so the detector sees neither the monitor nor the starts and
 * joins made here: they order the run without ordering anything in Racewire's eyes.
 */
public final class Baton {
    private final List<Thread> threads = new ArrayList<>();
    private int now;

    /** Waits until it is the turn of {@code step}. */
    public synchronized void turn(int step) {
        while (now != step) {
            try {
                wait();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** The current step is done. */
    public synchronized void next() {
        now++;
        notifyAll();
    }

    /** A thread about to be started; {@link #finish} waits for it. */
    public synchronized Thread adopt(Thread thread) {
        thread.setUncaughtExceptionHandler(
                (t, e) -> {
                    e.printStackTrace();
                    Runtime.getRuntime().halt(3);
                });
        threads.add(thread);
        return thread;
    }

    /** A thread that was adopted. */
    public synchronized Thread named(String name) {
        for (Thread thread : threads) {
            if (thread.getName().equals(name)) {
                return thread;
            }
        }
        throw new IllegalStateException("no thread " + name);
    }

    void finish(int steps) throws InterruptedException {
        for (int i = 0; ; i++) {
            Thread next;
            synchronized (this) {
                if (i == threads.size()) {
                    break;
                }
                next = threads.get(i);
            }
            next.join();
        }
        if (now != steps) {
            throw new IllegalStateException("steps left over: " + now + " of " + steps);
        }
    }
}
