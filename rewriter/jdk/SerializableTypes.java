import java.io.Serializable;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Prints the internal names of the JDK's own types that programs may extend or implement and that are
 * serializable. Run by build.rs with the JDK at hand: which types these are does not change between versions
 * in a way that matters (an unknown type counts as serializable anyway).
 */
public final class SerializableTypes {
    public static void main(String[] args) throws Exception {
        TreeSet<String> known = new TreeSet<>();
        Path modules = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
        try (Stream<Path> files = Files.walk(modules)) {
            files.map(modules::relativize).filter(p -> p.getNameCount() > 2).forEach(p -> add(known, p));
        }
        known.forEach(System.out::println);
    }

    /** One line per type: {@code + name} if serializable, {@code - name} if not. */
    private static void add(TreeSet<String> known, Path file) {
        String name = file.subpath(1, file.getNameCount()).toString();
        if (!name.endsWith(".class") || !(name.startsWith("java/") || name.startsWith("javax/"))) {
            return;
        }
        String internal = name.substring(0, name.length() - ".class".length());
        try {
            Class<?> type = Class.forName(internal.replace('/', '.'), false, ClassLoader.getSystemClassLoader());
            int modifiers = type.getModifiers();
            boolean visible = java.lang.reflect.Modifier.isPublic(modifiers)
                    || java.lang.reflect.Modifier.isProtected(modifiers);
            if (visible && !java.lang.reflect.Modifier.isFinal(modifiers) && !type.isAnonymousClass()) {
                known.add((Serializable.class.isAssignableFrom(type) ? "+ " : "- ") + internal);
            }
        } catch (LinkageError | ClassNotFoundException e) {
            // Not a type that a program could extend here.
        }
    }
}
