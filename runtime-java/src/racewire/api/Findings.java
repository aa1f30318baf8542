package racewire.api;

import racewire.rt.Tests;

/**
 * What a test framework may ask Racewire, and tell it. Everything is allowed at any time: where nothing is monitored
 * (yet), nothing has been found. A finding is told once, in the test in which it was found first.
 */
public final class Findings {
    private Findings() { }

    /** The number of findings of this process so far. */
    public static int count() {
        return Tests.count();
    }

    /**
     * The calling thread, and threads made by it, run this test from now on: findings carry its name. Tests may be
     * nested (a class, then its methods) and may run at the same time in several threads.
     */
    public static void begin(String test) {
        Tests.begin(test);
    }

    /** The test is over. */
    public static void end(String test) {
        Tests.end(test);
    }

    /** What was found in the test since it was last asked, one line for each finding. */
    public static String[] take(String test) {
        return Tests.takeFindings(test);
    }
}
