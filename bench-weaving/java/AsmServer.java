import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The ASM side of the comparison, kept running so that it is warm: reads commands from standard input and answers
 * each with one line. {@code load ID JAR} reads the classes of a jar into memory, {@code pass ID} weaves them once, on
 * this thread.
 */
public final class AsmServer {
    private final Map<String, List<byte[]>> jars = new HashMap<>();

    public static void main(String[] args) throws IOException {
        AsmServer server = new AsmServer();
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ", 3);
            System.out.println(words[0].equals("load") ? server.load(words[1], words[2]) : server.pass(words[1]));
        }
    }

    private String load(String id, String jar) throws IOException {
        List<byte[]> classes = new ArrayList<>();
        long bytes = 0;
        try (ZipFile zip = new ZipFile(jar)) {
            for (ZipEntry entry : Collections.list(zip.entries())) {
                String name = entry.getName();
                if (name.endsWith(".class") && !name.endsWith("module-info.class")) {
                    byte[] content = zip.getInputStream(entry).readAllBytes();
                    classes.add(content);
                    bytes += content.length;
                }
            }
        }
        jars.put(id, classes);
        return classes.size() + " " + bytes;
    }

    private String pass(String id) {
        List<byte[]> classes = jars.get(id);
        long start = cpu();
        Hierarchy hierarchy = new Hierarchy();
        for (byte[] bytes : classes) {
            hierarchy.scan(bytes);
        }
        long scanned = cpu();
        Counts counts = new Counts();
        for (byte[] bytes : classes) {
            counts.bytes += HookWeaver.weave(bytes, hierarchy, counts).length;
        }
        long end = cpu();
        return String.format("%d %d %d %d %d %d %d", scanned - start, end - scanned, counts.accesses, counts.monitors,
                counts.calls, counts.tooLarge, counts.bytes);
    }

    /** Nanoseconds this thread has computed: without the JVM's compiler and collector, and without other programs. */
    private static long cpu() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    /** What a pass did; the caller checks that it is what Racewire did too. */
    static final class Counts {
        long accesses;
        long monitors;
        long calls;
        long tooLarge;
        long bytes;
    }
}
