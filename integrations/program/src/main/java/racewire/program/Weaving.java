package racewire.program;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
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
        if (detector != null) {
            options.addAll(Arrays.asList("--detector", detector));
        }
        options.addAll(scope(includes, excludes, further));
    }

    /** What weaving and checking share: the classes in question, the JDK of this build, and what the user says. */
    public static List<String> scope(Collection<String> includes, Collection<String> excludes,
            Collection<String> further) {
        List<String> options = new ArrayList<>();
        for (String pattern : includes) {
            options.addAll(Arrays.asList("--include", pattern));
        }
        for (String pattern : excludes) {
            options.addAll(Arrays.asList("--exclude", pattern));
        }
        String jdk = System.getProperty("java.home");
        if (!further.contains("--jdk") && new File(jdk, "lib/modules").isFile()) {
            options.addAll(Arrays.asList("--jdk", jdk));
        }
        options.addAll(further);
        return options;
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

    /** Files that a weave goes by besides what it weaves: {@code racewire.toml}, and what options name. */
    public static List<File> settings(File folder, Collection<String> options) {
        List<File> files = new ArrayList<>();
        files.add(new File(folder, "racewire.toml"));
        for (String option : options) {
            File named = folder.toPath().resolve(option).toFile();
            if (!option.startsWith("-") && named.isFile()) {
                files.add(named);
            }
        }
        return files;
    }

    /**
     * Makes room for a weave of a folder that was woven before. The program replaces its own output and leaves in it
     * what has not changed, but refuses where a package at the top is gone: it cannot know whose that is.
     */
    public static void clear(File input, File output) throws IOException {
        File[] tops = output.listFiles();
        for (File top : tops == null ? new File[0] : tops) {
            if (!top.getName().equals("META-INF") && !new File(input, top.getName()).exists()) {
                delete(top);
            }
        }
    }

    /** A file, or a folder with all that is in it. */
    public static void delete(File file) throws IOException {
        File[] entries = file.isDirectory() ? file.listFiles() : null;
        for (File entry : entries == null ? new File[0] : entries) {
            delete(entry);
        }
        Files.deleteIfExists(file.toPath());
    }
}
