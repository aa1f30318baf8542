package prog;

import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import racewire.rt.Hooks;

/** What the test programs share. A failed check ends the program with code 1. */
final class Check {
    private Check() { }

    static void that(boolean condition, String what) {
        if (!condition) {
            new AssertionError(what).printStackTrace();
            Runtime.getRuntime().halt(1);
        }
    }

    static void equal(Object expected, Object actual) {
        that(expected.equals(actual), "expected " + expected + " but was " + actual);
    }

    static void locks(String... kinds) {
        String[] held = racewire.rt.Inspect.heldLocks();
        String[] names = new String[held.length];
        for (int i = 0; i < held.length; i++) {
            names[i] = held[i].replaceAll("@[0-9a-f]+", "");
        }
        equal(Arrays.toString(kinds), Arrays.toString(names));
    }

    interface Body {
        void run() throws Throwable;
    }

    static Thread thread(String name, Body body) {
        return new Thread(() -> {
            try {
                body.run();
            } catch (Throwable e) {
                e.printStackTrace();
                Runtime.getRuntime().halt(1);
            }
        }, name);
    }

    /** Starts through the hook and waits in a way that the detector cannot see. */
    static void inTurn(Body... bodies) throws InterruptedException {
        CountDownLatch[] turns = new CountDownLatch[bodies.length + 1];
        for (int i = 0; i < turns.length; i++) {
            turns[i] = new CountDownLatch(1);
        }
        for (int i = 0; i < bodies.length; i++) {
            int me = i;
            Hooks.start(thread("T" + (i + 1), () -> {
                turns[me].await();
                bodies[me].run();
                turns[me + 1].countDown();
            }));
        }
        turns[0].countDown();
        turns[bodies.length].await();
    }

    /** Starts all through the hook and waits for all. */
    static void together(Body... bodies) throws InterruptedException {
        Thread[] threads = new Thread[bodies.length];
        for (int i = 0; i < bodies.length; i++) {
            threads[i] = thread("T" + (i + 1), bodies[i]);
            Hooks.start(threads[i]);
        }
        for (Thread t : threads) {
            t.join();
        }
    }
}
