package racewire.maven;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;

/** Tells what the tests of this module found, and fails the build if there is something. */
@Mojo(name = "report", defaultPhase = LifecyclePhase.VERIFY, threadSafe = true)
public final class ReportMojo extends RacewireMojo {
    /** Exit code of the program when findings remain. */
    private static final int FOUND = 66;

    /** Frames of those who run the tests: tens of them in each stack, the same every time. The JSON has them all. */
    private static final Pattern FRAMEWORK = Pattern.compile("^\\s+at (racewire\\.junit\\.|org\\.junit\\.|junit\\.|org\\.testng\\."
            + "|org\\.apache\\.maven\\.surefire\\.|java\\.lang\\.reflect\\.|jdk\\.internal\\.reflect\\.|sun\\.reflect\\.)");

    /** Whether findings fail the build. */
    @Parameter(property = "racewire.failOnFindings", defaultValue = "true")
    boolean failOnFindings;

    /** Further options of <code>racewire report</code>. */
    @Parameter
    List<String> reportOptions = new ArrayList<>();

    @Override
    public void execute() throws MojoExecutionException, MojoFailureException {
        String[] files = findings().list();
        if (skip || files == null || files.length == 0) {
            getLog().info(skip ? "Racewire is skipped" : "Racewire: no woven test has run");
            return;
        }
        Program program = Program.find(executable);
        File json = new File(outputDirectory, "report.json");
        report(program, line -> { }, "--format", "json", "-o", json.getPath());
        List<String> lines = new ArrayList<>();
        boolean found = report(program, lines::add);
        for (String line : lines) {
            if (FRAMEWORK.matcher(line).find()) {
                continue;
            }
            if (found) {
                getLog().warn(line);
            } else {
                getLog().info(line);
            }
        }
        if (found && failOnFindings) {
            throw new MojoFailureException("Racewire found races in the tests of "
                    + project.getArtifactId() + "; see above, or " + json);
        }
    }

    /** True if something was found. */
    private boolean report(Program program, Consumer<String> lines, String... options)
            throws MojoExecutionException {
        List<String> arguments = new ArrayList<>();
        arguments.add("report");
        arguments.add(findings().getPath());
        for (List<String> roots : Arrays.asList(
                project.getCompileSourceRoots(), project.getTestCompileSourceRoots())) {
            for (String root : roots) {
                if (new File(root).isDirectory()) {
                    arguments.add("--source");
                    arguments.add(root);
                }
            }
        }
        arguments.addAll(reportOptions);
        arguments.addAll(Arrays.asList(options));
        List<String> printed = new ArrayList<>();
        int code = program.run(project.getBasedir(), printed::add, arguments);
        if (code != 0 && code != FOUND) {
            throw new MojoExecutionException(String.join("\n", printed));
        }
        printed.forEach(lines);
        return code == FOUND;
    }
}
