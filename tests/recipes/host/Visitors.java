package host;

import java.io.InputStream;
import java.net.URL;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Two visitors at once. */
final class Visitors {
    private Visitors() { }

    static void come(int port) throws Exception {
        ExecutorService visitors = Executors.newFixedThreadPool(2);
        Future<String> one = visitors.submit(() -> get(port));
        Future<String> other = visitors.submit(() -> get(port));
        System.out.println(one.get() + " " + other.get());
        visitors.shutdown();
    }

    private static String get(int port) throws Exception {
        try (InputStream in = new URL("http://127.0.0.1:" + port + "/count").openStream()) {
            return new String(in.readAllBytes());
        }
    }
}
