package racewire.rt;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.concurrent.atomic.LongAdder;

/**
 * How often what happened, for the benchmarks. While counting, no epoch is published, so that every access hook takes
 * the slow path and is seen; the times of such a run mean nothing.
 */
final class Counts {
    static final boolean ON = !Options.COUNTS.value().isEmpty();

    /** Access hooks. */
    static final LongAdder ACCESSES = new LongAdder();
    /** Those that would have left the fast path. */
    static final LongAdder SLOW = new LongAdder();
    /** Those that entered the library for a step. */
    static final LongAdder STEPS = new LongAdder();
    /** Locks taken. */
    static final LongAdder LOCKS = new LongAdder();
    /** Calls of the library: steps, epochs, locks, threads. */
    static final LongAdder NATIVE = new LongAdder();

    private Counts() { }

    /** At the end of the process. */
    static void write() {
        if (!ON) {
            return;
        }
        String line = "{\"accesses\":" + ACCESSES + ",\"slow\":" + SLOW + ",\"steps\":" + STEPS
                + ",\"locks\":" + LOCKS + ",\"native\":" + NATIVE + "}\n";
        try {
            Files.write(Paths.get(Options.COUNTS.value()), line.getBytes(StandardCharsets.UTF_8));
        } catch (IOException | RuntimeException e) {
            Stderr.line("cannot write the counts to " + Options.COUNTS.value() + " (" + e + ")");
        }
    }
}
