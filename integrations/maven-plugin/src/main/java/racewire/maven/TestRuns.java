package racewire.maven;

import java.io.File;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.maven.artifact.Artifact;
import org.apache.maven.execution.ExecutionEvent;
import org.apache.maven.execution.ExecutionListener;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.plugin.MojoExecution;
import org.apache.maven.project.MavenProject;

/**
 * Changes what the goals that run tests are given, for just as long as they run. Maven copies a goal's configuration
 * when the build is planned, long before there are woven classes; it reads that copy right after it has told its
 * execution listener that the goal starts.
 */
final class TestRuns extends ForwardingListener {
    private final Map<MavenProject, TestRun> runs = new ConcurrentHashMap<>();

    /** What to put back when the goal is done. */
    private final Map<MojoExecution, Runnable> afterwards = new ConcurrentHashMap<>();

    private TestRuns(ExecutionListener next) {
        super(next);
    }

    /** The one of this build. */
    static TestRuns of(MavenSession session) {
        synchronized (session.getRequest()) {
            ExecutionListener now = session.getRequest().getExecutionListener();
            if (now instanceof TestRuns) {
                return (TestRuns) now;
            }
            TestRuns runs = new TestRuns(now);
            session.getRequest().setExecutionListener(runs);
            return runs;
        }
    }

    void put(MavenProject project, TestRun run) {
        runs.put(project, run);
    }

    @Override
    public void mojoStarted(ExecutionEvent event) {
        TestRun run = runs.get(event.getProject());
        MojoExecution mojo = event.getMojoExecution();
        if (run != null && runsTests(mojo)) {
            new TestConfiguration(mojo, event.getSession(), event.getProject()).use(run);
            afterwards.put(mojo, exchange(run.dependencies));
        } else if (run != null && run.classes != null && readsCoverage(mojo)) {
            afterwards.put(mojo, showAsOutput(event.getProject(), run.classes));
        }
        super.mojoStarted(event);
    }

    @Override
    public void mojoSucceeded(ExecutionEvent event) {
        putBack(event.getMojoExecution());
        super.mojoSucceeded(event);
    }

    @Override
    public void mojoFailed(ExecutionEvent event) {
        putBack(event.getMojoExecution());
        super.mojoFailed(event);
    }

    private void putBack(MojoExecution mojo) {
        Runnable after = afterwards.remove(mojo);
        if (after != null) {
            after.run();
        }
    }

    private static boolean runsTests(MojoExecution mojo) {
        return mojo.getArtifactId().equals("maven-surefire-plugin") && mojo.getGoal().equals("test")
                || mojo.getArtifactId().equals("maven-failsafe-plugin") && mojo.getGoal().equals("integration-test");
    }

    /** JaCoCo counts by the very bytes that ran: the woven ones, whose lines and branches are those of the source. */
    private static boolean readsCoverage(MojoExecution mojo) {
        return mojo.getArtifactId().equals("jacoco-maven-plugin")
                && (mojo.getGoal().startsWith("report") || mojo.getGoal().equals("check"));
    }

    private static Runnable exchange(Map<Artifact, File> dependencies) {
        Map<Artifact, File> before = new LinkedHashMap<>();
        dependencies.forEach((artifact, woven) -> {
            before.put(artifact, artifact.getFile());
            artifact.setFile(woven);
        });
        return () -> before.forEach(Artifact::setFile);
    }

    private static Runnable showAsOutput(MavenProject project, File classes) {
        String before = project.getBuild().getOutputDirectory();
        project.getBuild().setOutputDirectory(classes.getPath());
        return () -> project.getBuild().setOutputDirectory(before);
    }
}
