import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Loads and links every class of some jars without initialising any, and writes one line per class: {@code ok}
 * or the error that HotSpot gave.
 *
 * <p>{@code java -Xverify:all LinkAll.java CLASS_PATH OUT JAR [OUT JAR ...]}; each jar has a class loader of its own.
 *
 * <p>{@code getDeclaredMethods} and its likes make HotSpot link the class first ({@code get_class_declared_methods_helper}
 * in jvm.cpp calls {@code link_class}), which verifies it (JVMS 5.4.1); they do not initialise it (JVMS 5.5).
 * The harness proves that with a class whose code is corrupt and one whose initialiser would be heard.
 *
 * <p>A multi-release jar is opened as one, and the same class as seen by this JDK is loaded. Members that the
 * weaver added begin with {@code $racewire$}; everything else that reflection shows is part of the line, so
 * that a member lost or changed is noticed too.
 */
public final class LinkAll {
    /** The jar's own classes. */
    private static TreeSet<String> own;

    public static void main(String[] args) throws Exception {
        for (int i = 1; i + 1 < args.length; i += 2) {
            link(Path.of(args[i]), new File(args[i + 1]), args[0]);
        }
    }

    private static void link(Path out, File jar, String classPath) throws IOException {
        List<URL> urls = new ArrayList<>();
        urls.add(jar.toURI().toURL());
        for (String more : classPath.isEmpty() ? new String[0] : classPath.split(File.pathSeparator)) {
            urls.add(new File(more).toURI().toURL());
        }
        own = classesOf(jar);
        int broken = 0;
        int total = 0;
        try (URLClassLoader loader =
                        new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
                BufferedWriter lines = Files.newBufferedWriter(out, StandardCharsets.UTF_8)) {
            for (String name : own) {
                total++;
                String verdict = link(loader, name);
                if (!verdict.startsWith("ok")) {
                    broken++;
                }
                lines.write(name + " " + verdict.replace('\n', ' ').replace('\r', ' '));
                lines.newLine();
            }
        }
        System.out.println(total + " classes, " + broken + " do not link");
    }

    private static TreeSet<String> classesOf(File jar) throws IOException {
        TreeSet<String> names = new TreeSet<>();
        try (JarFile file = new JarFile(jar, false, ZipFile.OPEN_READ, Runtime.version())) {
            file.versionedStream()
                    .map(ZipEntry::getName)
                    .filter(n -> n.endsWith(".class") && !n.endsWith("-info.class") && !n.startsWith("META-INF/"))
                    .filter(n -> !n.startsWith("racewire/rt/") && !n.startsWith("racewire/api/"))
                    .forEach(n -> names.add(n.substring(0, n.length() - 6).replace('/', '.')));
        }
        return names;
    }

    private static String link(ClassLoader loader, String name) {
        StringBuilder verdict = new StringBuilder();
        try {
            Class<?> c = Class.forName(name, false, loader);
            // Each of the three can fail by itself where a member's type is missing; all are compared.
            verdict.append(members("methods", () -> c.getDeclaredMethods()));
            verdict.append(members("fields", () -> c.getDeclaredFields()));
            verdict.append(members("constructors", () -> c.getDeclaredConstructors()));
        } catch (Throwable e) {
            return failure(e);
        }
        return verdict.indexOf("!") >= 0 ? verdict.substring(1) : "ok" + verdict;
    }

    private interface Members {
        java.lang.reflect.Member[] get();
    }

    private static String members(String what, Members members) {
        try {
            int own = 0;
            for (java.lang.reflect.Member m : members.get()) {
                // A serializable class without the second gets it, with the value it had implicitly.
                if (!m.getName().startsWith("$racewire$") && !m.getName().equals("serialVersionUID")) {
                    own++;
                }
            }
            return " " + what + "=" + own;
        } catch (LinkageError e) {
            return " " + what + "!" + failure(e);
        }
    }

    /**
     * Class and message of an error. Verify errors quote bytecode offsets after their first line, so only that
     * stays. Where a dependency is missing, HotSpot names the first it meets in an order that changes from run
     * to run (methods are sorted by the address of their names): then it only counts that one is missing,
     * unless it is one of the jar's own classes or of Racewire's.
     */
    private static String failure(Throwable e) {
        String message = String.valueOf(e.getMessage());
        int end = message.indexOf('\n');
        String first = end < 0 ? message : message.substring(0, end);
        String missing = first.replace('/', '.');
        if (e instanceof NoClassDefFoundError && !own.contains(missing) && !missing.contains("racewire")) {
            return "missing dependency";
        }
        // Modules and loaders without a name are told apart by their hash.
        return e.getClass().getName() + ": " + first.replaceAll("@(0x)?[0-9a-f]+", "@");
    }
}
