package racewire.program;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** The {@code racewire} program: where it is, and how it is run. */
public final class Program {
    private static final String VARIABLE = "RACEWIRE";

    /** Of the program that comes along; worked out once, it is large. */
    private static String carriedHash;

    private final File file;

    private Program(File file) {
        this.file = file;
    }

    /** As configured, of the environment variable, the one that comes along as a resource, or one on the PATH. */
    public static Program find(File configured) throws ProgramException {
        if (configured != null) {
            return new Program(executable(configured, "racewire.executable"));
        }
        if (isNamed()) {
            return new Program(executable(new File(System.getenv(VARIABLE)), "the environment variable " + VARIABLE));
        }
        String carried = carried();
        if (carried != null) {
            return new Program(unpacked(carried));
        }
        String path = System.getenv("PATH");
        for (String folder : (path == null ? "" : path).split(File.pathSeparator)) {
            File candidate = new File(folder, fileName());
            if (!folder.isEmpty() && candidate.canExecute()) {
                return new Program(candidate);
            }
        }
        throw new ProgramException("there is no racewire program: none for " + platform()
                + " comes with this plugin, and none is on the PATH; set racewire.executable or the environment variable "
                + VARIABLE);
    }

    /**
     * A hash of the program that comes along, if {@link #find} would take that one; otherwise null. No file is touched:
     * Gradle's configuration cache would take files that come and go for a change of the build.
     */
    public static String carriedFor(File configured) throws ProgramException {
        return configured != null || isNamed() ? null : carried();
    }

    private static boolean isNamed() {
        String named = System.getenv(VARIABLE);
        return named != null && !named.isEmpty();
    }

    private static synchronized String carried() throws ProgramException {
        if (carriedHash == null) {
            try (InputStream in = resource()) {
                carriedHash = in == null ? null : new Stamp().stream(in).text().substring(0, 16);
            } catch (IOException e) {
                throw new ProgramException("cannot read the racewire program (" + e + ")", e);
            }
        }
        return carriedHash;
    }

    private static InputStream resource() {
        return Program.class.getResourceAsStream("/native/" + platform() + "/" + fileName());
    }

    private static File executable(File file, String origin) throws ProgramException {
        if (!file.isFile() || !file.canExecute()) {
            throw new ProgramException("no racewire program at " + file + ", given by " + origin);
        }
        return file;
    }

    /** Kept by its content: plugins of several versions and builds at the same time do not meet. */
    private static File unpacked(String hash) throws ProgramException {
        Path folder = cache().resolve(hash);
        Path program = folder.resolve(fileName());
        if (Files.exists(program)) {
            return program.toFile();
        }
        try (InputStream in = resource()) {
            Files.createDirectories(folder);
            Path beside = Files.createTempFile(folder, "racewire-", ".tmp");
            Files.copy(in, beside, StandardCopyOption.REPLACE_EXISTING);
            beside.toFile().setExecutable(true, false);
            Files.move(beside, program, StandardCopyOption.ATOMIC_MOVE);
            return program.toFile();
        } catch (IOException e) {
            throw new ProgramException("cannot unpack the racewire program (" + e + ")", e);
        }
    }

    private static Path cache() {
        String base = System.getenv("XDG_CACHE_HOME");
        boolean none = base == null || base.isEmpty();
        File folder = none ? new File(System.getProperty("user.home"), ".cache") : new File(base);
        return folder.toPath().resolve("racewire").resolve("bin");
    }

    private static String fileName() {
        return platform().startsWith("windows") ? "racewire.exe" : "racewire";
    }

    /** Named as the program's own build names its targets. */
    private static String platform() {
        String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String arch = System.getProperty("os.arch").toLowerCase(Locale.ROOT);
        os = os.startsWith("mac") ? "macos" : os.startsWith("windows") ? "windows" : os.replace(' ', '-');
        if (arch.equals("amd64") || arch.equals("x64")) {
            arch = "x86_64";
        } else if (arch.equals("arm64")) {
            arch = "aarch64";
        }
        return os + "-" + arch;
    }

    public File file() {
        return file;
    }

    /** Runs to the end and gives each line it prints to {@code lines}; its exit code. */
    public int run(File folder, Consumer<String> lines, List<String> arguments) throws ProgramException {
        List<String> command = new ArrayList<>();
        command.add(file.getPath());
        command.addAll(arguments);
        try {
            Process process = new ProcessBuilder(command).directory(folder).redirectErrorStream(true).start();
            process.getOutputStream().close();
            try (BufferedReader reader = new BufferedReader(
                    new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                    lines.accept(line);
                }
            }
            return process.waitFor();
        } catch (IOException e) {
            throw new ProgramException("cannot run " + file + " (" + e.getMessage() + ")", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ProgramException("interrupted while " + file + " ran", e);
        }
    }

    /** Runs and insists on success: what the program printed is the cause otherwise. */
    public List<String> runWell(File folder, List<String> arguments) throws ProgramException {
        List<String> printed = new ArrayList<>();
        int code = run(folder, printed::add, arguments);
        if (code != 0) {
            throw new ProgramException(String.join("\n", printed) + " (racewire " + arguments.get(0)
                    + " ended with code " + code + ")");
        }
        return printed;
    }

    public List<String> runWell(File folder, String... arguments) throws ProgramException {
        return runWell(folder, Arrays.asList(arguments));
    }
}
