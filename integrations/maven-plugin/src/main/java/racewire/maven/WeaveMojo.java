package racewire.maven;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.maven.artifact.Artifact;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.descriptor.PluginDescriptor;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;
import org.apache.maven.project.MavenProject;
import racewire.program.Program;
import racewire.program.ProgramException;
import racewire.program.Stamp;
import racewire.program.Weaving;

/**
 * Weaves the classes of the module into a folder of their own and has Surefire and Failsafe run the tests on them. The
 * module's own classes stay as they are, and so does what is packaged.
 */
@Mojo(name = "weave", defaultPhase = LifecyclePhase.PROCESS_TEST_CLASSES, threadSafe = true,
        requiresDependencyResolution = ResolutionScope.TEST)
public final class WeaveMojo extends RacewireMojo {
    /** Where other modules of the build find the woven classes of this one: a context value of its project. */
    private static final String WOVEN = "racewire.woven";

    @Parameter(defaultValue = "${session}", readonly = true, required = true)
    MavenSession session;

    @Parameter(defaultValue = "${plugin}", readonly = true, required = true)
    PluginDescriptor plugin;

    /** Classes to weave, as <code>com.acme.**</code>; everything if there are none. */
    @Parameter(property = "racewire.includes")
    List<String> includes = new ArrayList<>();

    /** Classes to leave as they are. */
    @Parameter(property = "racewire.excludes")
    List<String> excludes = new ArrayList<>();

    /** Whether the test classes are woven too: races on their own fields are found then. */
    @Parameter(property = "racewire.weaveTests", defaultValue = "false")
    boolean weaveTests;

    /** Dependencies that are woven too, as <code>groupId:artifactId</code>; <code>*</code> stands for anything. */
    @Parameter(property = "racewire.weaveDependencies")
    List<String> weaveDependencies = new ArrayList<>();

    /** The detector that looks at the runs. */
    @Parameter(property = "racewire.detector")
    String detector;

    /** Whether a test fails in which something is found (JUnit 5 and 6, TestNG; JUnit 4 with RacewireRule). */
    @Parameter(property = "racewire.failTests", defaultValue = "false")
    boolean failTests;

    /** Further options of <code>racewire weave</code>. */
    @Parameter
    List<String> weaveOptions = new ArrayList<>();

    /** Further run-time options: <code>required</code>, <code>tmpdir</code>, … */
    @Parameter
    Map<String, String> runtimeOptions = new LinkedHashMap<>();

    @Parameter(property = "maven.test.skip", defaultValue = "false", readonly = true)
    boolean testsAreNotCompiled;

    @Parameter(property = "skipTests", defaultValue = "false", readonly = true)
    boolean testsAreSkipped;

    @Override
    public void execute() throws MojoExecutionException {
        File classes = new File(project.getBuild().getOutputDirectory());
        File testClasses = new File(project.getBuild().getTestOutputDirectory());
        if (skip || testsAreNotCompiled || testsAreSkipped) {
            getLog().info("Racewire is skipped");
            return;
        }
        if (!classes.isDirectory() && !testClasses.isDirectory() && weaveDependencies.isEmpty()) {
            getLog().info("Racewire: there are no classes");
            return;
        }
        try {
            weaveAll(Program.find(executable), classes, testClasses);
        } catch (ProgramException e) {
            throw new MojoExecutionException(e.getMessage(), e);
        } catch (IOException e) {
            throw new MojoExecutionException(e.toString(), e);
        }
    }

    private void weaveAll(Program program, File classes, File testClasses)
            throws IOException, ProgramException, MojoExecutionException {
        Files.createDirectories(outputDirectory.toPath());
        Weaving.delete(findings());
        TestRun run = new TestRun();
        File runtime = new File(outputDirectory, "racewire-runtime.jar");
        if (isNew(runtime, new Stamp().seen(program.file()).text())) {
            program.runWell(project.getBasedir(), "runtime-jar", "-o", runtime.getPath());
            done(runtime, new Stamp().seen(program.file()).text());
        }
        run.classPath.add(runtime);
        run.classPath.add(listener());
        if (classes.isDirectory()) {
            run.classes = new File(outputDirectory, "classes");
            weave(program, classes, run.classes, classPath(null));
            project.setContextValue(WOVEN, run.classes);
        }
        if (weaveTests && testClasses.isDirectory()) {
            run.testClasses = new File(outputDirectory, "test-classes");
            weave(program, testClasses, run.testClasses, classPath(classes));
        }
        for (Artifact artifact : project.getArtifacts()) {
            File woven = wovenDependency(program, artifact);
            if (woven != null) {
                run.dependencies.put(artifact, woven);
            }
        }
        run.systemProperties.put("racewire.findings", findings().getPath());
        // The report decides; Surefire takes another exit code than 0 for a crash.
        run.systemProperties.put("racewire.exitcode", "0");
        if (detector != null) {
            run.systemProperties.put("racewire.detector", detector);
        }
        runtimeOptions.forEach((name, value) -> run.systemProperties.put("racewire." + name, value));
        if (failTests) {
            run.systemProperties.put("racewire.junit.fail", "true");
            run.systemProperties.put("junit.jupiter.extensions.autodetection.enabled", "true");
        }
        run.junit4Listener = runsWithJUnit4Alone();
        TestRuns.of(session).put(project, run);
    }

    /** The dependency as this module's tests see it: woven by the module it comes from, or here; null for as it is. */
    private File wovenDependency(Program program, Artifact artifact) throws IOException, ProgramException {
        if (artifact.getFile() == null || !artifact.getType().equals("jar") || artifact.hasClassifier()) {
            return null;
        }
        for (MavenProject other : session.getProjects()) {
            if (other.getGroupId().equals(artifact.getGroupId())
                    && other.getArtifactId().equals(artifact.getArtifactId())
                    && other.getVersion().equals(artifact.getBaseVersion())) {
                return (File) other.getContextValue(WOVEN);
            }
        }
        String name = artifact.getGroupId() + ":" + artifact.getArtifactId();
        if (weaveDependencies.stream().noneMatch(pattern -> matches(pattern, name))) {
            return null;
        }
        File folder = new File(outputDirectory, "dependencies");
        Files.createDirectories(folder.toPath());
        File woven = new File(folder, artifact.getFile().getName());
        weave(program, artifact.getFile(), woven, classPath(null));
        return woven;
    }

    static boolean matches(String pattern, String name) {
        StringBuilder regex = new StringBuilder();
        for (String part : pattern.split("(?<=\\*)|(?=\\*)")) {
            regex.append(part.equals("*") ? ".*" : Pattern.quote(part));
        }
        return name.matches(regex.toString());
    }

    private void weave(Program program, File input, File output, List<File> classPath)
            throws IOException, ProgramException {
        Weaving weaving = new Weaving(includes, excludes, detector, weaveOptions);
        List<String> command = weaving.command(input, output, classPath);
        Stamp stamp = new Stamp().text(command).file(input).seen(program.file());
        for (File element : classPath) {
            stamp.seen(element);
        }
        for (File settings : Weaving.settings(project.getBasedir(), weaveOptions)) {
            stamp.file(settings);
        }
        String now = stamp.text();
        if (!isNew(output, now)) {
            getLog().info("Racewire: nothing changed in " + input + ", nothing woven");
            return;
        }
        // The program leaves what has not changed as it is.
        Files.deleteIfExists(stampFile(output).toPath());
        Weaving.clear(input, output);
        List<String> printed = program.runWell(project.getBasedir(), command);
        getLog().info("Racewire: " + (printed.isEmpty() ? output : printed.get(0)));
        printed.stream().skip(1).forEach(getLog()::debug);
        done(output, now);
    }

    private static File stampFile(File output) {
        return new File(output.getParentFile(), output.getName() + ".stamp");
    }

    private static boolean isNew(File output, String stamp) throws IOException {
        return !output.exists() || !Stamp.isIn(stampFile(output).toPath(), stamp);
    }

    private static void done(File output, String stamp) throws IOException {
        Stamp.write(stampFile(output).toPath(), stamp);
    }

    /** What the woven classes refer to. */
    private List<File> classPath(File first) {
        List<File> elements = new ArrayList<>();
        if (first != null) {
            elements.add(first);
        }
        for (Artifact artifact : project.getArtifacts()) {
            if (artifact.getFile() != null && !artifact.getType().equals("pom")) {
                elements.add(artifact.getFile());
            }
        }
        return elements;
    }

    /** The jar with the listeners of the test frameworks: it came with this plugin. */
    private File listener() throws MojoExecutionException {
        for (Artifact artifact : plugin.getArtifacts()) {
            if (artifact.getArtifactId().equals("racewire-junit")) {
                return artifact.getFile();
            }
        }
        throw new MojoExecutionException("racewire-junit is not among this plugin's dependencies");
    }

    /** On the JUnit Platform and in TestNG the listener is found by itself, and Surefire's would disturb. */
    private boolean runsWithJUnit4Alone() {
        boolean junit4 = false;
        for (Artifact artifact : project.getArtifacts()) {
            String group = artifact.getGroupId();
            if (group.startsWith("org.junit.") || group.equals("org.testng")) {
                return false;
            }
            junit4 |= group.equals("junit");
        }
        return junit4;
    }
}
