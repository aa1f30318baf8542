package racewire.program;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/** A hash of everything that a result depends on: with the same stamp as last time there is nothing to do. */
public final class Stamp {
    private final MessageDigest digest;

    public Stamp() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    public Stamp text(Object value) {
        digest.update(String.valueOf(value).getBytes(StandardCharsets.UTF_8));
        digest.update((byte) 0);
        return this;
    }

    /** The content of a file, or of every file in a folder. */
    public Stamp file(File file) throws IOException {
        if (file.isDirectory()) {
            File[] entries = file.listFiles();
            Arrays.sort(entries);
            for (File entry : entries) {
                text(entry.getName()).file(entry);
            }
            text("/");
        } else if (file.isFile()) {
            text(file.length());
            digest.update(Files.readAllBytes(file.toPath()));
        }
        return this;
    }

    /** All that comes. */
    public Stamp stream(InputStream in) throws IOException {
        byte[] buffer = new byte[1 << 16];
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
            digest.update(buffer, 0, n);
        }
        return this;
    }

    /** A file that is not worth reading, by its size and time; a folder as in {@link #file}. */
    public Stamp seen(File file) throws IOException {
        text(file);
        return file.isFile() ? text(file.length()).text(file.lastModified()) : file(file);
    }

    public String text() {
        StringBuilder hex = new StringBuilder();
        for (byte b : digest.digest()) {
            hex.append(String.format("%02x", b));
        }
        return hex.toString();
    }

    public static boolean isIn(Path file, String stamp) throws IOException {
        return Files.isRegularFile(file)
                && stamp.equals(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
    }

    public static void write(Path file, String stamp) throws IOException {
        Files.write(file, stamp.getBytes(StandardCharsets.UTF_8));
    }
}
