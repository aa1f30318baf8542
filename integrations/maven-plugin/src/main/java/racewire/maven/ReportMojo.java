package racewire.maven;

import java.io.File;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import racewire.program.Program;
import racewire.program.ProgramException;
import racewire.program.Report;

/** Tells what the tests of this module found, and fails the build if there is something. */
@Mojo(name = "report", defaultPhase = LifecyclePhase.VERIFY, threadSafe = true)
public final class ReportMojo extends RacewireMojo {
    /** Whether findings fail the build. */
    @Parameter(property = "racewire.failOnFindings", defaultValue = "true")
    boolean failOnFindings;

    /** Further options of <code>racewire report</code>. */
    @Parameter
    List<String> reportOptions = new ArrayList<>();

    @Override
    public void execute() throws MojoExecutionException, MojoFailureException {
        if (skip) {
            getLog().info("Racewire is skipped");
            return;
        }
        File json = new File(outputDirectory, "report.json");
        Report report;
        try {
            report = Report.ofRuns(Program.find(executable), project.getBasedir(),
                    Collections.singletonList(findings()), sources(), reportOptions, json);
        } catch (ProgramException e) {
            throw new MojoExecutionException(e.getMessage(), e);
        }
        if (report == null) {
            getLog().info("Racewire: no woven test has run");
            return;
        }
        tell(report, failOnFindings, "Racewire found races in the tests of " + project.getArtifactId() + "; see above, or "
                + json);
    }
}
