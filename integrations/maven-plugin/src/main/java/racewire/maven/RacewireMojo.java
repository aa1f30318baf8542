package racewire.maven;

import java.io.File;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;

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
}
