import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ServiceLoader;

/** A class that only a file in META-INF/services names; ServiceLoader makes it and a thread runs it. */
public class Services {
    public interface Plugin extends Runnable {
    }

    public static class Provider implements Plugin {
        static int loaded;
        int runs;

        public Provider() {
            loaded++; // shared: loaded
        }

        @Override
        public void run() {
            runs++; // shared: runs
            loaded++; // shared: loaded
        }
    }

    static class Unlisted implements Plugin {
        int unused;

        @Override
        public void run() {
            unused++; // local: unused
        }
    }

    public static void main(String[] args) throws Exception {
        Path folder = Files.createTempDirectory("services");
        Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        Path file = Files.writeString(services.resolve("Services$Plugin"), "Services$Provider\n");
        URL[] urls = {folder.toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(urls, Services.class.getClassLoader())) {
            for (Plugin plugin : ServiceLoader.load(Plugin.class, loader)) {
                plugin.run();
                Thread thread = new Thread(plugin);
                thread.start();
                thread.join();
            }
        }
        for (File at = file.toFile(); !at.equals(folder.getParent().toFile()); at = at.getParentFile()) {
            at.delete();
        }
        Unlisted unlisted = new Unlisted();
        unlisted.run();
        System.out.println(unlisted.unused); // local: unused
    }
}
