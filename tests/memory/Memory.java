import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the operating system says this JVM has used at most. */
final class Memory {
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
}
