package order;

import invisible.Stage;

/** How the cases of this package are run: threads one after the other or at a time, ordered by nothing but their start. */
final class Turns {
    interface Body {
        void run() throws Throwable;
    }

    private Turns() {}

    /** A case whose accesses are ordered by the edge under test, and by nothing else. */
    static void ordered(String edge, Body body) {
        System.out.println("ordered: " + edge);
        call(body);
    }

    /** Its twin: the same with the edge missing, broken or elsewhere. The lines that race are marked. */
    static void races(String edge, Body body) {
        System.out.println("races: " + edge);
        call(body);
    }

    /** One thread per body, each started when the one before has ended, which nothing visible tells. */
    static void inTurn(Body... bodies) {
        for (Body body : bodies) {
            Stage.ended(start(body));
        }
    }

    /** One thread per body, all at a time; comes back when all have ended, which nothing visible tells. */
    static void together(Body... bodies) {
        Thread[] threads = new Thread[bodies.length];
        for (int i = 0; i < bodies.length; i++) {
            threads[i] = start(bodies[i]);
        }
        for (Thread thread : threads) {
            Stage.ended(thread);
        }
    }

    static Thread start(Body body) {
        Thread thread = new Thread(() -> call(body));
        thread.start();
        return thread;
    }

    static void call(Body body) {
        try {
            body.run();
        } catch (Throwable e) {
            e.printStackTrace();
            Runtime.getRuntime().halt(3);
        }
    }

    static void check(boolean holds) {
        if (!holds) {
            throw new AssertionError("the case does not run as it says");
        }
    }

    static void use(Object value) {}

    static void use(int value) {}
}
