package racewire.rt;

import java.io.File;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;

/**
 * The end of the process: the last record, one line for the user and the exit code. It runs after the program's
 * own shutdown hooks, whose accesses are monitored like any other.
 */
final class Exit implements Runnable {
    /** The slot among the JDK's own hooks, which run one after the other; -1 for an ordinary shutdown hook. */
    private int slot;

    /**
     * What the end needs, loaded and linked at the start: Tomcat's class loader of a web application that was stopped
     * meanwhile gives nothing more, not even classes of the JDK.
     */
    private static final Class<?>[] NEEDED = {Counts.class, Optimistic.class, Order.class, Stderr.class, ThreadTable.class,
        Trace.class, Integer.class, Runtime.class, File.class, StringBuilder.class, PrintStream.class,
        FileOutputStream.class, OutputStream.class, FileDescriptor.class, Throwable.class};

    private static final boolean HALT = Options.HALT.on();

    private Exit() { }

    static void install() {
        try {
            load(NEEDED);
            load(Walkers.NEEDED);
        } catch (ClassNotFoundException cannotBe) {
            // They are loaded.
        }
        Exit exit = new Exit();
        exit.slot = Native.atExit(exit);
        if (exit.slot < 0) {
            Runtime.getRuntime().addShutdownHook(new Thread(exit, "racewire-exit"));
        }
    }

    private static void load(Class<?>[] all) throws ClassNotFoundException {
        for (Class<?> needed : all) {
            Class.forName(needed.getName(), true, Exit.class.getClassLoader());
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

    /** Where {@code racewire.halt} is on, a finding ends the run: one that counts, not one that an annotation excuses. */
    static void atFinding() {
        if (HALT && Native.count() > 0) {
            finish();
            int code = Options.EXITCODE.number();
            Runtime.getRuntime().halt(code == 0 ? 1 : code);
        }
    }

    private static int finish() {
        Counts.write();
        if (Order.ON) {
            Walkers.await();
            ThreadTable.tellAll();
            Optimistic.giveUp();
        }
        // A log with gaps would be taken for the truth.
        int findings = Monitoring.SHARING && Monitoring.stopped ? 0 : Native.end();
        Monitoring.checkTrouble();
        if (Trace.ON) {
            Trace.check();
        }
        if (findings > 0) {
            File file = new File(Native.file());
            Stderr.line(findings + (findings == 1 ? " finding in " : " findings in ") + file
                    + "; read them with: racewire report " + file.getParent());
        }
        return findings;
    }
}
