import java.io.Serializable;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Prints the JDK's own types that programs may name, whether they are serializable, and their direct supertypes. Run by
 * build.rs with the JDK at hand: what is new in later versions and matters is said elsewhere (an unknown type counts as
 * serializable; the models of synchronisation name the supertypes of new classes).
 */
public final class JdkTypes {
    public static void main(String[] args) throws Exception {
        TreeSet<String> known = new TreeSet<>();
        Path modules = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("/modules");
        try (Stream<Path> files = Files.walk(modules)) {
            files.map(modules::relativize).filter(p -> p.getNameCount() > 2).forEach(p -> add(known, p));
        }
        known.forEach(System.out::println);
    }

    /** One line per type: {@code +} if serializable or {@code -}, its name, its superclass and interfaces. */
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
            if (visible && !type.isAnonymousClass()) {
                StringBuilder line = new StringBuilder(Serializable.class.isAssignableFrom(type) ? "+ " : "- ");
                line.append(internal);
                if (type.getSuperclass() != null) {
                    line.append(' ').append(type.getSuperclass().getName().replace('.', '/'));
                }
                for (Class<?> parent : type.getInterfaces()) {
                    line.append(' ').append(parent.getName().replace('.', '/'));
                }
                known.add(line.toString());
            }
        } catch (LinkageError | ClassNotFoundException e) {
            // Not a type that a program could extend here.
        }
    }
}
