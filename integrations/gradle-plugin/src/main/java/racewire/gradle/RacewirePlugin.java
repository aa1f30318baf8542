package racewire.gradle;

import java.io.File;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.gradle.api.Action;
import org.gradle.api.GradleException;
import org.gradle.api.Plugin;
import org.gradle.api.Project;
import org.gradle.api.Task;
import org.gradle.api.artifacts.Configuration;
import org.gradle.api.artifacts.component.ProjectComponentIdentifier;
import org.gradle.api.file.FileCollection;
import org.gradle.api.tasks.SourceSet;
import org.gradle.api.tasks.SourceSetContainer;
import org.gradle.api.tasks.testing.Test;
import racewire.program.Program;
import racewire.program.ProgramException;
import racewire.program.Weaving;

/**
 * Has every test task of a Java project run on woven classes: {@code racewireWeave} makes them, {@code racewireReport},
 * part of {@code check}, tells what the tests found. What the project packages is never woven.
 */
public class RacewirePlugin implements Plugin<Project> {
    private static final String LISTENER = "racewireListener";

    @Override
    public void apply(Project project) {
        project.getPluginManager().apply("java");
        RacewireExtension settings = project.getExtensions().create("racewire", RacewireExtension.class);
        Configuration listener = project.getConfigurations().create(LISTENER);
        String version = RacewirePlugin.class.getPackage().getImplementationVersion();
        listener.defaultDependencies(all ->
                all.add(project.getDependencies().create("io.racewire:racewire-junit:" + version)));
        WeaveTask weave = project.getTasks().create("racewireWeave", WeaveTask.class);
        weave.setGroup("verification");
        weave.setDescription("Weaves the classes that the tests run on.");
        ReportTask report = project.getTasks().create("racewireReport", ReportTask.class);
        report.setGroup("verification");
        report.setDescription("Tells which races the tests have shown.");
        project.getTasks().getByName("check").dependsOn(report);
        CheckTask check = project.getTasks().create("racewireCheck", CheckTask.class);
        check.setGroup("verification");
        check.setDescription("Looks for errors in the main classes without running them.");
        project.afterEvaluate(evaluated -> {
            if (settings.isSkip() || project.hasProperty("racewire.skip")) {
                weave.setEnabled(false);
                report.setEnabled(false);
                check.setEnabled(false);
                setInputs(project, settings, weave);
            } else {
                configure(project, settings, weave, report, listener);
                configure(project, settings, check);
            }
        });
    }

    private static void setInputs(Project project, RacewireExtension settings, WeaveTask weave) {
        SourceSet main = sourceSet(project, SourceSet.MAIN_SOURCE_SET_NAME);
        SourceSet test = sourceSet(project, SourceSet.TEST_SOURCE_SET_NAME);
        Configuration runtime = project.getConfigurations().getByName(test.getRuntimeClasspathConfigurationName());
        FileCollection projects = runtime.getIncoming().artifactView(view ->
                view.componentFilter(id -> id instanceof ProjectComponentIdentifier)).getFiles();
        FileCollection libraries = runtime.filter(new NamedAs(settings.getWeaveDependencies()));
        FileCollection woven = main.getOutput().getClassesDirs().plus(projects).plus(libraries);
        if (settings.isWeaveTests()) {
            woven = woven.plus(test.getOutput().getClassesDirs());
        }
        weave.setWoven(woven);
        weave.setReferences(runtime.plus(main.getOutput().getClassesDirs()));
        weave.setOutputDirectory(new File(project.getBuildDir(), "racewire/woven"));
        weave.setFolder(project.getProjectDir());
        weave.setSettings(project.files(Weaving.settings(project.getProjectDir(), settings.getWeaveOptions())));
    }

    private static void configure(Project project, RacewireExtension settings, WeaveTask weave, ReportTask report,
            Configuration listener) {
        File program = program(settings);
        setInputs(project, settings, weave);
        weave.setProgram(program);
        weave.setCarried(program == null ? carried(settings) : "");
        weave.setIncludes(settings.getIncludes());
        weave.setExcludes(settings.getExcludes());
        weave.setWeaveOptions(settings.getWeaveOptions());
        weave.setDetector(settings.getDetector() == null ? "" : settings.getDetector());
        File findings = new File(project.getBuildDir(), "racewire/findings");
        List<File> allFindings = new ArrayList<>();
        for (Test test : project.getTasks().withType(Test.class)) {
            File own = new File(findings, test.getName());
            allFindings.add(own);
            runOnWoven(project, settings, test, weave, listener, own);
            report.mustRunAfter(test);
        }
        report.dependsOn(project.getTasks().getByName("test"));
        report.setFindings(allFindings);
        report.setSources(sources(project));
        report.setReportOptions(settings.getReportOptions());
        report.setFailOnFindings(settings.isFailOnFindings());
        report.setProgram(program);
        report.setFolder(project.getProjectDir());
        report.setJson(new File(project.getBuildDir(), "racewire/report.json"));
    }

    private static void configure(Project project, RacewireExtension settings, CheckTask check) {
        SourceSet main = sourceSet(project, SourceSet.MAIN_SOURCE_SET_NAME);
        check.dependsOn(main.getOutput());
        check.setClasses(main.getOutput().getClassesDirs());
        check.setReferences(main.getCompileClasspath());
        check.setSources(sources(project));
        check.setIncludes(settings.getIncludes());
        check.setExcludes(settings.getExcludes());
        check.setReportOptions(settings.getCheckOptions());
        check.setFailOnFindings(settings.isFailOnFindings());
        check.setProgram(program(settings));
        check.setFolder(project.getProjectDir());
        check.setJson(new File(project.getBuildDir(), "racewire/check.json"));
    }

    /** Null for the one in the plugin: only a task that runs it may unpack it. */
    private static File program(RacewireExtension settings) {
        try {
            return carried(settings) == null ? Program.find(settings.getExecutable()).file() : null;
        } catch (ProgramException e) {
            throw new GradleException(e.getMessage(), e);
        }
    }

    private static String carried(RacewireExtension settings) {
        try {
            return Program.carriedFor(settings.getExecutable());
        } catch (ProgramException e) {
            throw new GradleException(e.getMessage(), e);
        }
    }

    private static void runOnWoven(Project project, RacewireExtension settings, Test test, WeaveTask weave,
            Configuration listener, File findings) {
        FileCollection before = test.getClasspath();
        FileCollection woven = weave.getWoven();
        File output = weave.getOutputDirectory();
        test.setClasspath(project.files(new Exchanged(before, woven, output)).builtBy(before, weave)
                .plus(project.files(WeaveTask.runtime(output)).builtBy(weave)).plus(listener));
        if (settings.isWeaveTests()) {
            FileCollection classes = test.getTestClassesDirs();
            test.setTestClassesDirs(project.files(new Exchanged(classes, woven, output)).builtBy(classes, weave));
        }
        // Relative, so that a result from another machine's cache is as good as one's own.
        test.systemProperty("racewire.findings", test.getWorkingDir().toPath().relativize(findings.toPath()).toString());
        test.systemProperty("racewire.exitcode", "0");
        if (settings.getDetector() != null) {
            test.systemProperty("racewire.detector", settings.getDetector());
        }
        settings.getRuntimeOptions().forEach((name, value) -> test.systemProperty("racewire." + name, value));
        if (settings.isFailTests()) {
            test.systemProperty("racewire.junit.fail", "true");
            test.systemProperty("junit.jupiter.extensions.autodetection.enabled", "true");
        }
        test.getOutputs().dir(findings).withPropertyName("racewireFindings");
        test.doFirst(new Clear(findings));
    }

    private static List<File> sources(Project project) {
        List<File> all = new ArrayList<>();
        for (String name : new String[] {SourceSet.MAIN_SOURCE_SET_NAME, SourceSet.TEST_SOURCE_SET_NAME}) {
            all.addAll(sourceSet(project, name).getAllJava().getSrcDirs());
        }
        return all;
    }

    /** By name: where the source sets are found by type differs between the versions of Gradle. */
    private static SourceSet sourceSet(Project project, String name) {
        return ((SourceSetContainer) project.property("sourceSets")).getByName(name);
    }

    /** The class path with the woven things in the place of what they were woven from. */
    private static final class Exchanged implements Callable<List<File>> {
        private final FileCollection before;
        private final FileCollection woven;
        private final File output;

        Exchanged(FileCollection before, FileCollection woven, File output) {
            this.before = before;
            this.woven = woven;
            this.output = output;
        }

        @Override
        public List<File> call() {
            Set<File> exchanged = woven.getFiles();
            List<File> after = new ArrayList<>();
            for (File file : before) {
                after.add(exchanged.contains(file) ? WeaveTask.place(output, file) : file);
            }
            return after;
        }
    }

    /** Findings are those of this run. An object of a class, not a lambda: Gradle must know it again. */
    private static final class Clear implements Action<Task>, Serializable {
        private static final long serialVersionUID = 1;
        private final File folder;

        Clear(File folder) {
            this.folder = folder;
        }

        @Override
        public void execute(Task test) {
            try {
                Weaving.delete(folder);
            } catch (IOException e) {
                throw new GradleException(e.toString(), e);
            }
        }
    }
}
