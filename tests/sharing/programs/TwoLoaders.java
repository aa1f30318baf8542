import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

/** A class loaded twice: each copy has statics of its own, both copies share what the JDK holds. */
public class TwoLoaders {
    public static class Copy implements Runnable {
        static int runs;
        static int inThread;

        @Override
        public void run() {
            runs++; // shared: runs
            inThread++; // shared: inThread
        }
    }

    static int inMain;

    static URL[] path() throws MalformedURLException {
        String[] parts = System.getProperty("java.class.path").split(System.getProperty("path.separator"));
        URL[] urls = new URL[parts.length];
        for (int i = 0; i < parts.length; i++) {
            urls[i] = Path.of(parts[i]).toUri().toURL();
        }
        return urls;
    }

    public static void main(String[] args) throws Exception {
        try (URLClassLoader loader = new URLClassLoader(path(), null)) {
            Class<?> other = Class.forName("TwoLoaders$Copy", true, loader);
            Runnable task = (Runnable) other.getDeclaredConstructor().newInstance();
            task.run();
            Thread thread = new Thread(task);
            thread.start();
            thread.join();
            Copy.runs++;
            inMain += other == Copy.class ? 1 : 2; // local: inMain
            System.out.println(inMain + Copy.inThread); // local: inMain
        }
    }
}
