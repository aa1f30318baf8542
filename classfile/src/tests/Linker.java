import java.io.*;
import java.net.URI;
import java.nio.file.*;
import java.util.*;
import java.util.stream.*;

/** Gives the code layer's tests real classes, and HotSpot's word on what became of them. */
public class Linker extends ClassLoader {
    final Map<String, byte[]> own = new LinkedHashMap<>();

    Linker() {
        super(ClassLoader.getPlatformClassLoader());
    }

    /** Child first, so that what is linked is what we were given. */
    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            byte[] bytes = own.get(name);
            if (loaded != null || bytes == null) return loaded != null ? loaded : super.loadClass(name, resolve);
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    static Linker read(String pack) throws IOException {
        Linker linker = new Linker();
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(new FileInputStream(pack)))) {
            while (in.available() > 0) {
                String name = in.readUTF();
                byte[] bytes = new byte[in.readInt()];
                in.readFully(bytes);
                linker.own.put(name.replace('/', '.'), bytes);
            }
        }
        return linker;
    }

    /** Loads and verifies (JVMS 5.4.1) without running anything. */
    String link(String name) {
        try {
            Class.forName(name, false, this).getDeclaredMethods();
            return "ok";
        } catch (Throwable t) {
            return t.getClass().getName() + "\n" + t.getMessage();
        }
    }

    /** dump PACK MODULE…: all classes of modules of the running JDK. */
    static void dump(String pack, List<String> modules) throws IOException {
        FileSystem image = FileSystems.getFileSystem(URI.create("jrt:/"));
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(new FileOutputStream(pack)))) {
            for (String module : modules) {
                Path root = image.getPath("/modules", module);
                List<Path> files;
                try (Stream<Path> walk = Files.walk(root)) {
                    files = walk.filter(f -> f.toString().endsWith(".class")).sorted().collect(Collectors.toList());
                }
                for (Path file : files) {
                    String name = root.relativize(file).toString().replace(".class", "");
                    if (name.startsWith("java/") || name.equals("module-info")) continue;
                    byte[] bytes = Files.readAllBytes(file);
                    out.writeUTF(name);
                    out.writeInt(bytes.length);
                    out.write(bytes);
                }
            }
        }
    }

    /** link BEFORE AFTER…: prints what links before and no longer does after, and how many do. */
    public static void main(String[] args) throws Exception {
        List<String> rest = Arrays.asList(args).subList(2, args.length);
        if (args[0].equals("dump")) {
            dump(args[1], rest);
            return;
        }
        Linker before = read(args[1]);
        Map<String, String> expected = new HashMap<>();
        for (String name : before.own.keySet()) expected.put(name, before.link(name));
        for (String pack : rest) {
            Linker after = read(pack);
            int linked = 0;
            for (String name : after.own.keySet()) {
                String[] found = after.link(name).split("\n", 2);
                if (found[0].equals("ok")) linked++;
                if (!expected.getOrDefault(name, "ok").split("\n")[0].equals(found[0])) {
                    System.out.println("BROKEN " + name + ": " + String.join(" ", found));
                }
            }
            System.out.println("LINKED " + linked);
        }
    }
}
