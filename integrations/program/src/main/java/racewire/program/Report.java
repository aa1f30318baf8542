package racewire.program;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;

/** What test runs have found, as {@code racewire report} tells it, or what {@code racewire check} finds without a run. */
public final class Report {
    /** Exit code of the program when findings remain. */
    private static final int FOUND = 66;

    /** Frames of those who run the tests: tens of them in each stack, the same every time. The JSON has them all. */
    private static final Pattern FRAMEWORK = Pattern.compile("^\\s+at (racewire\\.junit\\.|org\\.junit\\.|junit\\."
            + "|org\\.testng\\.|org\\.apache\\.maven\\.surefire\\.|org\\.gradle\\.|java\\.lang\\.reflect\\."
            + "|jdk\\.internal\\.reflect\\.|sun\\.reflect\\.)");

    /** Whether findings remain after whatever the options leave out. */
    public final boolean found;

    /** For a person to read. */
    public final List<String> lines;

    private Report(boolean found, List<String> lines) {
        this.found = found;
        this.lines = lines;
    }

    /** Null if no woven test has run. The whole of it is also written to {@code json}. */
    public static Report ofRuns(Program program, File folder, Collection<File> findings, Collection<File> sources,
            List<String> options, File json) throws ProgramException {
        List<String> arguments = new ArrayList<>();
        arguments.add("report");
        for (File file : findings) {
            String[] files = file.list();
            if (files != null && files.length > 0) {
                arguments.add(file.getPath());
            }
        }
        return arguments.size() == 1 ? null : tell(program, folder, arguments, sources, options, json);
    }

    /** Null if there are no classes. The class path is for looking things up only. */
    public static Report ofClasses(Program program, File folder, Collection<File> classes, Collection<File> classPath,
            Collection<File> sources, List<String> options, File json) throws ProgramException {
        List<String> arguments = new ArrayList<>();
        arguments.add("check");
        for (File file : classes) {
            if (file.exists()) {
                arguments.add(file.getPath());
            }
        }
        if (arguments.size() == 1) {
            return null;
        }
        List<String> paths = new ArrayList<>();
        classPath.forEach(file -> paths.add(file.getPath()));
        arguments.addAll(Arrays.asList("--classpath", String.join(File.pathSeparator, paths)));
        return tell(program, folder, arguments, sources, options, json);
    }

    private static Report tell(Program program, File folder, List<String> arguments, Collection<File> sources,
            List<String> options, File json) throws ProgramException {
        for (File source : sources) {
            if (source.isDirectory()) {
                arguments.add("--source");
                arguments.add(source.getPath());
            }
        }
        arguments.addAll(options);
        arguments.addAll(Arrays.asList("--format", "text", "--format", "json=" + json.getPath()));
        File parent = json.getParentFile();
        if (!parent.isDirectory() && !parent.mkdirs()) {
            throw new ProgramException("cannot make the folder " + parent);
        }
        List<String> lines = new ArrayList<>();
        boolean found = run(program, folder, arguments, lines);
        lines.removeIf(line -> FRAMEWORK.matcher(line).find());
        return new Report(found, lines);
    }

    private static boolean run(Program program, File folder, List<String> arguments, List<String> lines)
            throws ProgramException {
        int code = program.run(folder, lines::add, arguments);
        if (code != 0 && code != FOUND) {
            throw new ProgramException(String.join("\n", lines));
        }
        return code == FOUND;
    }
}
