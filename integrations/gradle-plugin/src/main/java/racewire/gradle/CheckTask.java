package racewire.gradle;

import java.util.ArrayList;
import java.util.List;
import org.gradle.api.file.FileCollection;
import org.gradle.api.tasks.Internal;
import racewire.program.Program;
import racewire.program.ProgramException;
import racewire.program.Report;
import racewire.program.Weaving;

/** Looks for errors in the main classes without running them; told every time, as what the tests found is. */
public class CheckTask extends ReportTask {
    private FileCollection classes;
    private FileCollection references;
    private List<String> includes = new ArrayList<>();
    private List<String> excludes = new ArrayList<>();

    @Internal
    public FileCollection getClasses() {
        return classes;
    }

    public void setClasses(FileCollection classes) {
        this.classes = classes;
    }

    /** What the classes refer to. */
    @Internal
    public FileCollection getReferences() {
        return references;
    }

    public void setReferences(FileCollection references) {
        this.references = references;
    }

    @Internal
    public List<String> getIncludes() {
        return includes;
    }

    public void setIncludes(List<String> includes) {
        this.includes = includes;
    }

    @Internal
    public List<String> getExcludes() {
        return excludes;
    }

    public void setExcludes(List<String> excludes) {
        this.excludes = excludes;
    }

    @Override
    Report make(Program racewire) throws ProgramException {
        List<String> options = Weaving.scope(includes, excludes, getReportOptions());
        return Report.ofClasses(racewire, getFolder(), classes.getFiles(), references.getFiles(), getSources(), options,
                getJson());
    }

    @Override
    String nothing() {
        return "there are no classes";
    }

    @Override
    String failure() {
        return "Racewire found errors in the classes";
    }
}
