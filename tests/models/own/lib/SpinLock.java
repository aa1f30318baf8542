package lib;

import java.util.concurrent.atomic.AtomicBoolean;

/** A lock that is no {@code java.util.concurrent.locks.Lock}, in a library that is not woven. */
public class SpinLock {
    private final AtomicBoolean taken = new AtomicBoolean();

    public void enter() {
        while (!attempt()) {
            Thread.yield();
        }
    }

    public boolean attempt() {
        return taken.compareAndSet(false, true);
    }

    public void exit() {
        taken.set(false);
    }
}
