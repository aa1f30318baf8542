import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What this JVM uses, and has used at most. */
final class Memory {
    private static final long PATIENCE_NANOS = 30_000_000_000L;

    private Memory() {}

    /** Peak resident set, in KB: {@code VmHWM} of proc(5). Native memory of the runtime is part of it. */
    static long peakKb() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmHWM:")) {
                return Long.parseLong(line.replaceAll("[^0-9]", ""));
            }
        }
        throw new IOException("no VmHWM");
    }

    /** What the heap has after a collection, in KB. */
    static long liveKb() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return (runtime.totalMemory() - runtime.freeMemory()) / 1024;
    }

    /** Prints by how many KB the heap had grown, and how many are left once it is a part of them, or after a while. */
    static void waitUntilGone(long before, long grown, int part) throws InterruptedException {
        long begin = System.nanoTime();
        long left = grown;
        while (left > grown / part && System.nanoTime() - begin < PATIENCE_NANOS) {
            Thread.sleep(50);
            left = liveKb() - before;
        }
        System.out.println("grown " + grown);
        System.out.println("left " + Math.max(0, left));
    }
}
