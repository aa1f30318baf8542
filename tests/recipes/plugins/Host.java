package plugins;

import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;

/** Loads each plugin in a class loader of its own; two threads use it. */
public class Host {
    public static void main(String[] args) throws Exception {
        for (String jar : args) {
            URL[] urls = {new File(jar).toURI().toURL()};
            try (URLClassLoader loader = new URLClassLoader(urls, Host.class.getClassLoader())) {
                Runnable plugin = (Runnable) loader.loadClass("plugin.Counter").getDeclaredConstructor().newInstance();
                Thread[] threads = {new Thread(plugin), new Thread(plugin)};
                for (Thread thread : threads) {
                    thread.start();
                }
                for (Thread thread : threads) {
                    thread.join();
                }
            }
        }
        System.out.println("done");
    }
}
