package racewire.gradle;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.gradle.api.DefaultTask;
import org.gradle.api.GradleException;
import org.gradle.api.file.FileCollection;
import org.gradle.api.tasks.CacheableTask;
import org.gradle.api.tasks.Classpath;
import org.gradle.api.tasks.Input;
import org.gradle.api.tasks.InputFile;
import org.gradle.api.tasks.InputFiles;
import org.gradle.api.tasks.Internal;
import org.gradle.api.tasks.Optional;
import org.gradle.api.tasks.OutputDirectory;
import org.gradle.api.tasks.PathSensitive;
import org.gradle.api.tasks.PathSensitivity;
import org.gradle.api.tasks.TaskAction;
import racewire.program.Program;
import racewire.program.ProgramException;
import racewire.program.Weaving;

/**
 * Weaves class folders and jars, each into a place of its own, and writes the runtime beside them. It holds nothing of
 * the project, so that Gradle can keep it in its configuration cache; what it makes depends on its inputs alone.
 */
@CacheableTask
public class WeaveTask extends DefaultTask {
    private FileCollection inputs;
    private FileCollection settings;
    private FileCollection references;
    private File program;
    private String carried = "";
    private File outputDirectory;
    private List<String> includes = new ArrayList<>();
    private List<String> excludes = new ArrayList<>();
    private List<String> weaveOptions = new ArrayList<>();
    private String detector = "";
    private File folder;

    /** Class folders and jars to weave; those that do not exist are left out. */
    @Classpath
    public FileCollection getWoven() {
        return inputs;
    }

    public void setWoven(FileCollection woven) {
        this.inputs = woven;
    }

    /** What they refer to. */
    @Classpath
    public FileCollection getReferences() {
        return references;
    }

    public void setReferences(FileCollection references) {
        this.references = references;
    }

    /** Null for the one in the plugin, see {@link #getCarried}. */
    @InputFile
    @Optional
    @PathSensitive(PathSensitivity.NONE)
    public File getProgram() {
        return program;
    }

    public void setProgram(File program) {
        this.program = program;
    }

    /** A hash of the program in the plugin, which is unpacked when it runs; empty if another one does. */
    @Input
    public String getCarried() {
        return carried;
    }

    public void setCarried(String carried) {
        this.carried = carried;
    }

    /** {@code racewire.toml}, and the files that options name, where they are there. */
    @InputFiles
    @PathSensitive(PathSensitivity.NONE)
    public FileCollection getSettings() {
        return settings;
    }

    public void setSettings(FileCollection settings) {
        this.settings = settings;
    }

    @Input
    public List<String> getIncludes() {
        return includes;
    }

    public void setIncludes(List<String> includes) {
        this.includes = includes;
    }

    @Input
    public List<String> getExcludes() {
        return excludes;
    }

    public void setExcludes(List<String> excludes) {
        this.excludes = excludes;
    }

    @Input
    public List<String> getWeaveOptions() {
        return weaveOptions;
    }

    public void setWeaveOptions(List<String> weaveOptions) {
        this.weaveOptions = weaveOptions;
    }

    /** Empty for the program's own choice. */
    @Input
    public String getDetector() {
        return detector;
    }

    public void setDetector(String detector) {
        this.detector = detector;
    }

    @OutputDirectory
    public File getOutputDirectory() {
        return outputDirectory;
    }

    public void setOutputDirectory(File outputDirectory) {
        this.outputDirectory = outputDirectory;
    }

    /** Where the program runs. */
    @Internal
    public File getFolder() {
        return folder;
    }

    public void setFolder(File folder) {
        this.folder = folder;
    }

    /** Where {@code input} goes: folders and jars of the same name keep apart. */
    static File place(File outputDirectory, File input) {
        String origin = input.getParentFile() == null ? "" : input.getParentFile().getName();
        File parent = new File(outputDirectory, origin.isEmpty() ? "root" : origin);
        return new File(parent, input.getName());
    }

    static File runtime(File outputDirectory) {
        return new File(outputDirectory, "racewire-runtime.jar");
    }

    @TaskAction
    public void weave() {
        Weaving weaving = new Weaving(includes, excludes, detector.isEmpty() ? null : detector, weaveOptions);
        try {
            Files.createDirectories(outputDirectory.toPath());
            Set<File> kept = new HashSet<>();
            kept.add(runtime(outputDirectory));
            Program racewire = Program.find(program);
            racewire.runWell(folder, "runtime-jar", "-o", runtime(outputDirectory).getPath());
            for (File input : inputs) {
                if (!input.exists()) {
                    continue;
                }
                File output = place(outputDirectory, input);
                kept.add(output);
                Weaving.clear(input, output);
                Files.createDirectories(output.getParentFile().toPath());
                List<String> printed = racewire.runWell(folder, weaving.command(input, output, references.getFiles()));
                if (!printed.isEmpty()) {
                    getLogger().lifecycle("Racewire: " + printed.get(0));
                }
            }
            deleteOthers(outputDirectory, kept);
        } catch (ProgramException e) {
            throw new GradleException(e.getMessage(), e);
        } catch (IOException e) {
            throw new GradleException(e.toString(), e);
        }
    }

    /** What is no longer woven: two levels of folders, as {@link #place} makes them. */
    private static void deleteOthers(File outputDirectory, Set<File> kept) throws IOException {
        for (File origin : outputDirectory.listFiles()) {
            File[] places = origin.isDirectory() ? origin.listFiles() : new File[] {origin};
            for (File place : places) {
                if (!kept.contains(place)) {
                    Weaving.delete(place);
                }
            }
        }
    }
}
