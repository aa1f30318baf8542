package models;

import java.util.concurrent.Callable;

/** What the programs have in common. */
final class Threads {
    private Threads() { }

    /** Two threads at once, which know nothing of each other. */
    static void two(Runnable one, Runnable other) throws Exception {
        Thread a = new Thread(one);
        Thread b = new Thread(other);
        a.start();
        b.start();
        a.join();
        b.join();
    }

    static <T> T silent(Callable<T> call) {
        try {
            return call.call();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
