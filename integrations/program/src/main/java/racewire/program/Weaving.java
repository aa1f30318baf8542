package racewire.program;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;

/** What the user of a build plugin may say about weaving, and the command that it makes. */
public final class Weaving {
    private final List<String> options = new ArrayList<>();

    public Weaving(Collection<String> includes, Collection<String> excludes, String detector,
            Collection<String> further) {
        for (String pattern : includes) {
            options.addAll(Arrays.asList("--include", pattern));
        }
        for (String pattern : excludes) {
            options.addAll(Arrays.asList("--exclude", pattern));
        }
        if (detector != null) {
            options.addAll(Arrays.asList("--detector", detector));
        }
        String jdk = System.getProperty("java.home");
        if (!further.contains("--jdk") && new File(jdk, "lib/modules").isFile()) {
            options.addAll(Arrays.asList("--jdk", jdk));
        }
        options.addAll(further);
    }

    /** The runtime is on the class path once, however many things are woven. */
    public List<String> command(File input, File output, Collection<File> classPath) {
        List<String> paths = new ArrayList<>();
        classPath.forEach(file -> paths.add(file.getPath()));
        List<String> command = new ArrayList<>(Arrays.asList("weave", input.getPath(), "--output", output.getPath(),
                "--no-bundle-runtime", "--classpath", String.join(File.pathSeparator, paths)));
        command.addAll(options);
        return Collections.unmodifiableList(command);
    }
}
