package racewire.rt;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Arrays;
import java.util.Enumeration;
import java.util.List;

/**
 * Whether this process is monitored, decided once at the first hook. If the native library cannot be had, the
 * program runs on unmonitored after one line on stderr, or ends with code 2 where {@code racewire.required} says so;
 * likewise where a class turns up that was woven for another detector.
 */
final class Monitoring {
    /** Exit code of a program that may not run unmonitored. */
    private static final int REQUIRED_EXIT = 2;

    /** Instead of races, what threads share is looked for. */
    static final boolean SHARING = !Options.SHARING.value().isEmpty();

    private static RawMemory memory;

    /** Set once the library is there. */
    static volatile boolean on;

    /** Set once the library has failed: hooks that would enter it return at once. */
    static volatile boolean stopped;

    private Monitoring() { }

    /** Called once, by the initializer of {@link Hooks}; true if monitoring is on. */
    static boolean start() {
        String cause;
        try {
            cause = tryStart();
        } catch (Throwable e) {
            cause = e.toString();
        }
        if (cause == null) {
            on = true;
            return true;
        }
        stopped = true;
        Stderr.line("monitoring is off: " + cause);
        if (Options.REQUIRED.on()) {
            Runtime.getRuntime().halt(REQUIRED_EXIT);
        }
        return false;
    }

    private static String tryStart() {
        String cause = prepare();
        if (cause == null && ThreadTable.TID < 0) {
            cause = "this JDK's java.lang.Thread has no field tid";
        }
        if (cause == null && Trace.ON) {
            Trace.check();
        }
        if (cause == null) {
            Exit.install();
        }
        return cause;
    }

    private static boolean prepared;
    private static String unprepared;

    /**
     * The library and raw memory, whoever needs them first: a program's first hook may be in any of the classes that it
     * calls. Nothing in here may need {@link Mem}, whose initializer waits for this. Gives the cause if they cannot be had.
     */
    private static synchronized String prepare() {
        if (!prepared) {
            prepared = true;
            try {
                unprepared = tryPrepare();
            } catch (Throwable e) {
                unprepared = e.toString();
            }
        }
        return unprepared;
    }

    private static String tryPrepare() {
        String cause = NativeLibrary.load();
        if (cause == null) {
            String manifests = manifests();
            WovenFor.checkJdk(manifests);
            cause = Native.init(new String[] {
                "findings", new File(Options.FINDINGS.value()).getAbsolutePath(),
                "detector", Options.accessDetector(),
                "max_findings", Options.MAX_FINDINGS.value(),
                "sharing", SHARING ? new File(Options.SHARING.value()).getAbsolutePath() : "",
                "detectors", Options.DETECTOR.value(),
                "trace", Options.TRACE.value().isEmpty() ? "" : new File(Options.TRACE.value()).getAbsolutePath(),
                "plugin", absolute(Options.PLUGIN.value()),
                "java", System.getProperty("java.version", ""),
                "manifests", manifests});
        }
        if (cause == null && !System.getProperty("java.specification.version", "").startsWith("1.")) {
            cause = Native.exportInternals(Monitoring.class);
            memory = cause == null ? internal() : null;
        } else if (cause == null) {
            memory = sun();
        }
        return cause;
    }

    private static String absolute(String files) {
        StringBuilder all = new StringBuilder();
        for (String file : files.split(",")) {
            if (!file.isEmpty()) {
                all.append(all.length() == 0 ? "" : ",").append(new File(file).getAbsolutePath());
            }
        }
        return all.toString();
    }

    /** What the weaver wrote into the archives that are in sight; empty where none can be read. */
    private static String manifests() {
        StringBuilder all = new StringBuilder();
        try {
            ClassLoader loader = Monitoring.class.getClassLoader();
            Enumeration<URL> found = loader.getResources("META-INF/racewire/manifest.json");
            while (found.hasMoreElements()) {
                try (InputStream in = found.nextElement().openStream()) {
                    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                    byte[] buffer = new byte[4096];
                    for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                        bytes.write(buffer, 0, n);
                    }
                    all.append(bytes.toString("UTF-8"));
                }
            }
        } catch (IOException | RuntimeException notReadable) {
            // Only a figure in the summary.
        }
        return all.toString();
    }

    // Two methods, so that neither class is linked on a JDK that lacks its Unsafe.
    private static RawMemory internal() {
        return new MemInternal();
    }

    private static RawMemory sun() {
        return new MemSun();
    }

    /** For {@link Mem}; null if there is none. */
    static RawMemory memory() {
        prepare();
        return memory;
    }

    /** After a neutral value from the library: if it has failed, say so once and stop asking it. */
    static void checkTrouble() {
        String cause = stopped ? null : Native.trouble();
        if (cause != null) {
            stop(cause);
        }
    }

    private static void stop(String cause) {
        if (stops()) {
            Stderr.line("monitoring is off: " + cause
                    + (SHARING ? "; there is no sharing log" : "; findings so far are kept"));
        }
    }

    /** True for the first caller. */
    private static synchronized boolean stops() {
        boolean first = !stopped;
        stopped = true;
        return first;
    }

    /**
     * Whether a class that was woven for these detectors is right for this run: weaving for one of them may leave out
     * what another needs, and everything must be there to say what threads share.
     */
    static boolean accepts(String validFor) {
        List<String> woven = Arrays.asList(validFor.split(","));
        String detector = SHARING ? "sharing" : Options.accessDetector();
        // Locks are woven whatever the detector.
        boolean hasAccesses = woven.contains("*") || !looksAtAccesses()
                || woven.contains(detector) && (!Sections.ON || woven.contains("views"));
        return hasAccesses && (!Stale.isWanted() || woven.contains("stale"));
    }

    /** Whether anything but locks, and what the values of some accesses are used for, is looked at. */
    static boolean looksAtAccesses() {
        String detector = Options.accessDetector();
        return SHARING || !detector.equals("lock_order") && !detector.equals("stale");
    }

    /** A class turned up that does not do for this run: what would be found, or not, says nothing. */
    static void refuse(String className, String validFor) {
        if (!stops()) {
            return;
        }
        String detector = Options.DETECTOR.value();
        Stderr.line("monitoring is off: " + className + " was woven for " + validFor + "; "
                + (SHARING ? "racewire.sharing needs all accesses woven"
                : "racewire.detector=" + detector + " needs: racewire weave --detector " + detector));
        if (Options.REQUIRED.on()) {
            Runtime.getRuntime().halt(REQUIRED_EXIT);
        }
    }
}
