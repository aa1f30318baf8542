package racewire.rt;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Locale;

/**
 * Finds and loads the native library. Each copy of the runtime loads a file of its own: a JVM refuses one
 * library file in two class loaders (JNI specification, chapter 5, "Library and Version Management").
 */
final class NativeLibrary {
    /** To be tried until one is free. */
    private static final int NAMES = 100;

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
            file = newFile(new File(folder).toPath());
        } catch (IOException | RuntimeException e) {
            return cause("cannot write to " + folder, e) + "; set -Dracewire.tmpdir to a folder that can be written";
        }
        try {
            copy(library, file);
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

    /** Into the very file: {@link Files#copy} would put another one in its place. */
    private static void copy(InputStream library, Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            byte[] buffer = new byte[1 << 16];
            for (int n = library.read(buffer); n >= 0; n = library.read(buffer)) {
                out.write(buffer, 0, n);
            }
        }
    }

    /**
     * A new file that nobody else may write to. {@link Files#createTempFile} would do, but wants secure random numbers for
     * its name, and to load the JDK's security providers took a quarter of a monitored JVM's start. A name that can be guessed
     * does no harm: a file, or link, that is there already is not taken.
     */
    private static Path newFile(Path folder) throws IOException {
        FileAttribute<?>[] forOwner = FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(
                        EnumSet.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE))}
                : new FileAttribute<?>[0];
        for (int attempt = 1;; attempt++) {
            String name = "racewire-" + Long.toHexString(System.nanoTime()) + "-"
                    + Integer.toHexString(System.identityHashCode(new Object())) + ".lib";
            try {
                return Files.createFile(folder.resolve(name), forOwner);
            } catch (FileAlreadyExistsException e) {
                if (attempt == NAMES) {
                    throw e;
                }
            }
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
