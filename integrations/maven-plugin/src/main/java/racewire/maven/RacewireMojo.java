package racewire.maven;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;
import racewire.program.Report;

/** What the goals share. */
abstract class RacewireMojo extends AbstractMojo {
    @Parameter(defaultValue = "${project}", readonly = true, required = true)
    MavenProject project;

    /** The racewire program. Otherwise: the environment variable RACEWIRE, the one in this plugin, the PATH. */
    @Parameter(property = "racewire.executable")
    File executable;

    /** Does nothing: the tests run as without Racewire. */
    @Parameter(property = "racewire.skip", defaultValue = "false")
    boolean skip;

    /** Where everything goes that Racewire makes. */
    @Parameter(defaultValue = "${project.build.directory}/racewire", readonly = true)
    File outputDirectory;

    /** What the runs of the tests found, one file for each JVM. */
    File findings() {
        return new File(outputDirectory, "findings");
    }

    /** Roots of source files: reports quote their lines. */
    List<File> sources() {
        List<File> sources = new ArrayList<>();
        project.getCompileSourceRoots().forEach(root -> sources.add(new File(root)));
        project.getTestCompileSourceRoots().forEach(root -> sources.add(new File(root)));
        return sources;
    }

    /** Tells it in the log, and fails the build with {@code failure} if there is something and it is to fail. */
    void tell(Report report, boolean fails, String failure) throws MojoFailureException {
        report.lines.forEach(report.found ? getLog()::warn : getLog()::info);
        if (report.found && fails) {
            throw new MojoFailureException(failure);
        }
    }
}
