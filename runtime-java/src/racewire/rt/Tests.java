package racewire.rt;

import java.util.Arrays;

/**
 * The tests that run now, so that a finding can say in which of them it was found. A thread belongs to the test it was
 * made in; a thread that belongs to none that still runs (a pool of long ago) may work for any of them.
 */
public final class Tests {
    private static final String[] NONE = {};

    /** Inherited by the threads that a test makes, also through an executor. */
    private static final InheritableThreadLocal<Running> OWN = new InheritableThreadLocal<>();

    /** Replaced, never changed: whoever writes a finding reads it without a lock. */
    private static volatile Running[] running = {};

    private Tests() { }

    private static final class Running {
        final String name;
        final long thread = Thread.currentThread().getId();
        /** What this very thread ran when the test began: its class, or the suite. */
        final Running around;
        volatile boolean over;

        /** A runner's thread may well be made in another test, which is not around this one. */
        Running(String name, Running before) {
            this.name = name;
            this.around = before != null && before.thread == thread ? before : null;
        }
    }

    /** The calling thread runs this test, or class of tests, from now on. */
    public static void begin(String name) {
        Running test = new Running(name, own());
        OWN.set(test);
        add(test);
    }

    /** The test is over. May be called by another thread than began it. */
    public static void end(String name) {
        if (Monitoring.on && Order.ON) {
            ThreadTable.tellAll();
        }
        Running own = own();
        if (own != null && own.name.equals(name)) {
            own.over = true;
            OWN.set(own.around);
        }
        remove(name);
    }

    private static synchronized void add(Running test) {
        Running[] more = Arrays.copyOf(running, running.length + 1);
        more[running.length] = test;
        running = more;
    }

    private static synchronized void remove(String name) {
        for (int i = running.length - 1; i >= 0; i--) {
            if (running[i].name.equals(name)) {
                running[i].over = true;
                Running[] fewer = Arrays.copyOf(running, running.length - 1);
                System.arraycopy(running, i + 1, fewer, i, fewer.length - i);
                running = fewer;
                return;
            }
        }
    }

    /** The innermost running test that the calling thread belongs to, or null. */
    private static Running own() {
        Running test = OWN.get();
        while (test != null && test.over) {
            test = test.around;
        }
        return test;
    }

    /** The test of the calling thread, or all that run. */
    static String[] now() {
        Running[] all = running;
        if (all.length == 0) {
            return NONE;
        }
        Running own = own();
        if (own != null && !isAround(own, all)) {
            return new String[] {own.name};
        }
        String[] names = new String[all.length];
        int n = 0;
        for (Running test : all) {
            if (!isAround(test, all)) {
                names[n++] = test.name;
            }
        }
        return Arrays.copyOf(names, n);
    }

    /** A class of tests is not meant where one of its tests runs. */
    private static boolean isAround(Running outer, Running[] all) {
        for (Running test : all) {
            if (test.around == outer) {
                return true;
            }
        }
        return false;
    }

    /** What was found in the test since it was last asked, one line each. */
    public static String[] takeFindings(String name) {
        String found = Monitoring.on ? Native.takeFindings(name) : "";
        return found.isEmpty() ? NONE : found.split("\n");
    }

    /** The number of findings of this process. */
    public static int count() {
        return Monitoring.on ? Native.count() : 0;
    }
}
