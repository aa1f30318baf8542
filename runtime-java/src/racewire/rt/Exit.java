package racewire.rt;

import java.io.File;

/**
 * The end of the process: the last record, one line for the user and the exit code. It runs after the program's
 * own shutdown hooks, whose accesses are monitored like any other.
 */
final class Exit implements Runnable {
    /** The slot among the JDK's own hooks, which run one after the other; -1 for an ordinary shutdown hook. */
    private int slot;

    /**
     * What the end needs, loaded at the start: the class loader of a web application that was stopped meanwhile loads
     * nothing more.
     */
    private final Class<?>[] needed = {Counts.class, Stderr.class};

    private Exit() { }

    static void install() {
        Exit exit = new Exit();
        exit.slot = Native.atExit(exit);
        if (exit.slot < 0) {
            Runtime.getRuntime().addShutdownHook(new Thread(exit, "racewire-exit"));
        }
    }

    @Override
    public void run() {
        try {
            int findings = finish();
            int code = Options.EXITCODE.number();
            if (findings > 0 && code != 0 && slot >= 0) {
                // Halting skips the hooks after this one (say, another copy of the runtime): run them first.
                for (Runnable later : Native.exitHooksAfter(slot)) {
                    later.run();
                }
                Runtime.getRuntime().halt(code);
            }
        } catch (Throwable e) {
            Stderr.line("could not finish: " + e);
        }
    }

    /** At a finding, where {@code racewire.halt} is on. */
    static void halt() {
        finish();
        int code = Options.EXITCODE.number();
        Runtime.getRuntime().halt(code == 0 ? 1 : code);
    }

    private static int finish() {
        Counts.write();
        // A log with gaps would be taken for the truth.
        int findings = Monitoring.SHARING && Monitoring.stopped ? 0 : Native.end();
        Monitoring.checkTrouble();
        if (findings > 0) {
            File file = new File(Native.file());
            Stderr.line(findings + (findings == 1 ? " finding in " : " findings in ") + file
                    + "; read them with: racewire report " + file.getParent());
        }
        return findings;
    }
}
