package racewire.rt;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;

/**
 * Finds and loads the native library. Each copy of the runtime loads a file of its own: a JVM refuses one
 * library file in two class loaders (JNI specification, chapter 5, "Library and Version Management").
 */
final class NativeLibrary {
    private NativeLibrary() { }

    /** null, or why it could not be loaded and what may help. */
    static String load() {
        String given = Options.NATIVE.value();
        return given.isEmpty() ? loadPackaged() : loadGiven(new File(given).getAbsoluteFile());
    }

    private static String loadGiven(File library) {
        if (!library.isFile()) {
            return "no native library at " + library + "; check racewire.native";
        }
        try {
            System.load(library.getPath());
            return null;
        } catch (UnsatisfiedLinkError perhapsLoadedByAnotherLoader) {
            try (InputStream in = Files.newInputStream(library.toPath())) {
                return loadCopy(in);
            } catch (IOException e) {
                return cause("cannot read " + library, e) + "; check racewire.native";
            }
        }
    }

    private static String loadPackaged() {
        String resource = Names.NATIVE_DIR + platform() + "/" + System.mapLibraryName("racewire_runtime");
        try (InputStream in = NativeLibrary.class.getResourceAsStream(resource)) {
            if (in == null) {
                return "this runtime has no native library for " + platform()
                        + "; set -Dracewire.native to one built for it";
            }
            return loadCopy(in);
        } catch (IOException e) {
            return cause("cannot read " + resource, e);
        }
    }

    private static String loadCopy(InputStream library) {
        String folder = Options.TMPDIR.value();
        if (folder.isEmpty()) {
            folder = System.getProperty("java.io.tmpdir", ".");
        }
        Path file;
        try {
            file = Files.createTempFile(new File(folder).toPath(), "racewire-", ".lib");
        } catch (IOException | RuntimeException e) {
            return cause("cannot write to " + folder, e) + "; set -Dracewire.tmpdir to a folder that can be written";
        }
        try {
            Files.copy(library, file, StandardCopyOption.REPLACE_EXISTING);
            System.load(file.toAbsolutePath().toString());
            return null;
        } catch (IOException e) {
            return cause("cannot write to " + folder, e) + "; set -Dracewire.tmpdir to a folder with room";
        } catch (UnsatisfiedLinkError e) {
            return cause("cannot load the native library from " + folder, e)
                    + "; set -Dracewire.tmpdir to a folder that allows execution";
        } finally {
            delete(file);
        }
    }

    /** A loaded library may be deleted, except on Windows: there the file goes when the JVM does, or stays. */
    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException inUse) {
            file.toFile().deleteOnExit();
        }
    }

    /** Names as Rust has them ({@code std::env::consts}): the build names the folders after its own target. */
    static String platform() {
        String os = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        String arch = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        os = os.startsWith("mac") ? "macos" : os.startsWith("windows") ? "windows" : os.replace(' ', '-');
        if (arch.equals("amd64") || arch.equals("x64")) {
            arch = "x86_64";
        } else if (arch.equals("arm64")) {
            arch = "aarch64";
        }
        return os + "-" + arch;
    }

    private static String cause(String what, Throwable why) {
        return what + " (" + why.getClass().getSimpleName() + ": " + why.getMessage() + ")";
    }
}
