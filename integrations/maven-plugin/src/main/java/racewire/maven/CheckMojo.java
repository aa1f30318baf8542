package racewire.maven;

import java.io.File;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.maven.artifact.Artifact;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;
import racewire.program.Program;
import racewire.program.ProgramException;
import racewire.program.Report;
import racewire.program.Weaving;

/** Looks for errors in the classes of this module without running them, and fails the build if there are any. */
@Mojo(name = "check", defaultPhase = LifecyclePhase.VERIFY, threadSafe = true,
        requiresDependencyResolution = ResolutionScope.COMPILE_PLUS_RUNTIME)
public final class CheckMojo extends RacewireMojo {
    /** Classes to check, as <code>com.acme.**</code>; everything if there are none. */
    @Parameter(property = "racewire.includes")
    List<String> includes = new ArrayList<>();

    /** Classes not to check. */
    @Parameter(property = "racewire.excludes")
    List<String> excludes = new ArrayList<>();

    /** Whether findings fail the build. */
    @Parameter(property = "racewire.failOnFindings", defaultValue = "true")
    boolean failOnFindings;

    /** Further options of <code>racewire check</code>. */
    @Parameter
    List<String> checkOptions = new ArrayList<>();

    @Override
    public void execute() throws MojoExecutionException, MojoFailureException {
        if (skip) {
            getLog().info("Racewire is skipped");
            return;
        }
        List<File> classPath = new ArrayList<>();
        for (Artifact artifact : project.getArtifacts()) {
            if (artifact.getFile() != null && !artifact.getType().equals("pom")) {
                classPath.add(artifact.getFile());
            }
        }
        File json = new File(outputDirectory, "check.json");
        Report report;
        try {
            report = Report.ofClasses(Program.find(executable), project.getBasedir(),
                    Collections.singletonList(new File(project.getBuild().getOutputDirectory())), classPath, sources(),
                    Weaving.scope(includes, excludes, checkOptions), json);
        } catch (ProgramException e) {
            throw new MojoExecutionException(e.getMessage(), e);
        }
        if (report == null) {
            getLog().info("Racewire: there are no classes");
            return;
        }
        tell(report, failOnFindings, "Racewire found errors in the classes of " + project.getArtifactId()
                + "; see above, or " + json);
    }
}
