package racewire.gradle;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.gradle.api.DefaultTask;
import org.gradle.api.GradleException;
import org.gradle.api.tasks.Internal;
import org.gradle.api.tasks.TaskAction;
import racewire.program.Program;
import racewire.program.ProgramException;
import racewire.program.Report;

/** Tells what the tests found, and fails the build if there is something. Told every time: it has no outputs. */
public class ReportTask extends DefaultTask {
    private List<File> findings = new ArrayList<>();
    private List<File> sources = new ArrayList<>();
    private List<String> reportOptions = new ArrayList<>();
    private boolean failOnFindings = true;
    private File program;
    private File folder;
    private File json;

    @Internal
    public List<File> getFindings() {
        return findings;
    }

    public void setFindings(List<File> findings) {
        this.findings = findings;
    }

    @Internal
    public List<File> getSources() {
        return sources;
    }

    public void setSources(List<File> sources) {
        this.sources = sources;
    }

    @Internal
    public List<String> getReportOptions() {
        return reportOptions;
    }

    public void setReportOptions(List<String> reportOptions) {
        this.reportOptions = reportOptions;
    }

    @Internal
    public boolean isFailOnFindings() {
        return failOnFindings;
    }

    public void setFailOnFindings(boolean failOnFindings) {
        this.failOnFindings = failOnFindings;
    }

    @Internal
    public File getProgram() {
        return program;
    }

    public void setProgram(File program) {
        this.program = program;
    }

    @Internal
    public File getFolder() {
        return folder;
    }

    public void setFolder(File folder) {
        this.folder = folder;
    }

    @Internal
    public File getJson() {
        return json;
    }

    public void setJson(File json) {
        this.json = json;
    }

    @TaskAction
    public void report() {
        Report report;
        try {
            report = make(Program.find(program));
        } catch (ProgramException e) {
            throw new GradleException(e.getMessage(), e);
        }
        if (report == null) {
            getLogger().lifecycle("Racewire: " + nothing());
            return;
        }
        for (String line : report.lines) {
            if (report.found) {
                getLogger().warn(line);
            } else {
                getLogger().lifecycle(line);
            }
        }
        if (report.found && failOnFindings) {
            throw new GradleException(failure() + "; see above, or " + json);
        }
    }

    /** Null if there is nothing to look at. */
    Report make(Program racewire) throws ProgramException {
        return Report.ofRuns(racewire, folder, findings, sources, reportOptions, json);
    }

    String nothing() {
        return "no woven test has run";
    }

    String failure() {
        return "Racewire found races";
    }
}
