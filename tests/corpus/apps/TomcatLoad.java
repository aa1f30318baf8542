import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;

/** Embedded Tomcat answering concurrent requests on localhost; prints the number of 200s and a checksum. */
public final class TomcatLoad {
    private static final int THREADS = 4;
    private static final int REQUESTS = 60;

    public static void main(String[] args) throws Exception {
        Logger.getLogger("org.apache").setLevel(Level.SEVERE);
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(Files.createTempDirectory(java.nio.file.Path.of("."), "tomcat").toString());
        tomcat.setPort(0);
        tomcat.getConnector();
        Context context = tomcat.addContext("", null);
        Tomcat.addServlet(context, "square", new Square());
        context.addServletMappingDecoded("/square/*", "square");
        tomcat.start();
        int port = tomcat.getConnector().getLocalPort();

        AtomicInteger good = new AtomicInteger();
        AtomicLong sum = new AtomicLong();
        List<Thread> clients = new ArrayList<>();
        for (int t = 0; t < THREADS; t++) {
            int first = t * REQUESTS;
            Thread client = new Thread(() -> ask(port, first, good, sum));
            clients.add(client);
            client.start();
        }
        for (Thread client : clients) {
            client.join();
        }
        System.out.println("answers " + good.get() + " checksum " + sum.get());
        tomcat.stop();
        tomcat.destroy();
        // HttpClient's threads may linger; the exit code must still be the runtime's to choose.
        System.exit(0);
    }

    private static void ask(int port, int first, AtomicInteger good, AtomicLong sum) {
        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        for (int i = first; i < first + REQUESTS; i++) {
            try {
                URI uri = URI.create("http://127.0.0.1:" + port + "/square/x?n=" + i);
                HttpResponse<String> answer =
                        client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
                if (answer.statusCode() == 200) {
                    good.incrementAndGet();
                    sum.addAndGet(Long.parseLong(answer.body().trim()));
                }
            } catch (IOException | InterruptedException e) {
                e.printStackTrace();
            }
        }
    }

    public static final class Square extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            long n = Long.parseLong(request.getParameter("n"));
            response.setContentType("text/plain");
            response.getWriter().println(n * n);
        }
    }
}
