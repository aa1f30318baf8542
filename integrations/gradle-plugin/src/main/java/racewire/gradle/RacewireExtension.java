package racewire.gradle;

import java.io.File;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a build says in {@code racewire { … }}. */
public class RacewireExtension {
    private File executable;
    private boolean skip;
    private List<String> includes = new ArrayList<>();
    private List<String> excludes = new ArrayList<>();
    private boolean weaveTests;
    private List<String> weaveDependencies = new ArrayList<>();
    private String detector;
    private boolean failTests;
    private boolean failOnFindings = true;
    private List<String> weaveOptions = new ArrayList<>();
    private List<String> reportOptions = new ArrayList<>();
    private List<String> checkOptions = new ArrayList<>();
    private Map<String, String> runtimeOptions = new LinkedHashMap<>();

    /** The racewire program. Otherwise: the environment variable RACEWIRE, the one in this plugin, the PATH. */
    public File getExecutable() {
        return executable;
    }

    public void setExecutable(File executable) {
        this.executable = executable;
    }

    /** The tests run as without Racewire. */
    public boolean isSkip() {
        return skip;
    }

    public void setSkip(boolean skip) {
        this.skip = skip;
    }

    /** Classes to weave, as {@code com.acme.**}; everything if there are none. */
    public List<String> getIncludes() {
        return includes;
    }

    public void setIncludes(List<String> includes) {
        this.includes = includes;
    }

    /** Classes to leave as they are. */
    public List<String> getExcludes() {
        return excludes;
    }

    public void setExcludes(List<String> excludes) {
        this.excludes = excludes;
    }

    /** Whether the test classes are woven too. */
    public boolean isWeaveTests() {
        return weaveTests;
    }

    public void setWeaveTests(boolean weaveTests) {
        this.weaveTests = weaveTests;
    }

    /** Libraries that are woven too, by the names of their files: {@code guava-*.jar}. Other projects always are. */
    public List<String> getWeaveDependencies() {
        return weaveDependencies;
    }

    public void setWeaveDependencies(List<String> weaveDependencies) {
        this.weaveDependencies = weaveDependencies;
    }

    /** The detector that looks at the runs. */
    public String getDetector() {
        return detector;
    }

    public void setDetector(String detector) {
        this.detector = detector;
    }

    /** Whether a test fails in which something is found. */
    public boolean isFailTests() {
        return failTests;
    }

    public void setFailTests(boolean failTests) {
        this.failTests = failTests;
    }

    /** Whether findings fail the build. */
    public boolean isFailOnFindings() {
        return failOnFindings;
    }

    public void setFailOnFindings(boolean failOnFindings) {
        this.failOnFindings = failOnFindings;
    }

    /** Further options of {@code racewire weave}. */
    public List<String> getWeaveOptions() {
        return weaveOptions;
    }

    public void setWeaveOptions(List<String> weaveOptions) {
        this.weaveOptions = weaveOptions;
    }

    /** Further options of {@code racewire report}. */
    public List<String> getReportOptions() {
        return reportOptions;
    }

    public void setReportOptions(List<String> reportOptions) {
        this.reportOptions = reportOptions;
    }

    /** Further options of {@code racewire check}. */
    public List<String> getCheckOptions() {
        return checkOptions;
    }

    public void setCheckOptions(List<String> checkOptions) {
        this.checkOptions = checkOptions;
    }

    /** Further run-time options: {@code required}, {@code tmpdir}, … */
    public Map<String, String> getRuntimeOptions() {
        return runtimeOptions;
    }

    public void setRuntimeOptions(Map<String, String> runtimeOptions) {
        this.runtimeOptions = runtimeOptions;
    }
}
