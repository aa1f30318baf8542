import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;

/**
 * Embedded Tomcat answers two clients of the same process over kept-alive connections. Besides the iterations it says
 * how long the JVM took to its first answered request: {@code racewire-bench first-answer <ns>}.
 */
public final class TomcatServe {
    private static final int CLIENTS = 2;
    private static final int REQUESTS = 5_000;

    /** Answers with a page that depends on the parameters alone. */
    public static final class Page extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            int order = Integer.parseInt(request.getParameter("order"));
            String name = request.getParameter("name");
            response.setContentType("text/html");
            response.setCharacterEncoding("UTF-8");
            response.setHeader("X-Order", Integer.toString(order));
            PrintWriter page = response.getWriter();
            page.print("<html><body><h1>" + name + "</h1><ul>");
            for (int i = 0; i < 10 + order % 10; i++) {
                page.print("<li>" + (order * 31 + i) + " by " + request.getHeader("User-Agent") + "</li>");
            }
            page.print("</ul></body></html>");
        }
    }

    /** One connection. Just as much of HTTP as Tomcat's answers need: the load is to be the server's. */
    static final class Connection implements AutoCloseable {
        private final Socket socket;
        private final InputStream in;
        private final OutputStream out;

        Connection(int port) throws IOException {
            socket = new Socket("127.0.0.1", port);
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(socket.getInputStream());
            out = socket.getOutputStream();
        }

        String get(String path) throws IOException {
            String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nUser-Agent: bench\r\nAccept: */*\r\n\r\n";
            out.write(request.getBytes(StandardCharsets.US_ASCII));
            String status = line();
            int length = -1;
            for (String header = line(); !header.isEmpty(); header = line()) {
                if (header.regionMatches(true, 0, "Content-Length:", 0, 15)) {
                    length = Integer.parseInt(header.substring(15).trim());
                }
            }
            if (!status.startsWith("HTTP/1.1 200") || length < 0) {
                throw new IOException("not a page of known length: " + status);
            }
            return new String(in.readNBytes(length), StandardCharsets.UTF_8);
        }

        private String line() throws IOException {
            StringBuilder line = new StringBuilder();
            for (int c = in.read(); c != '\n'; c = in.read()) {
                if (c < 0) {
                    throw new IOException("connection closed");
                }
                if (c != '\r') {
                    line.append((char) c);
                }
            }
            return line.toString();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    static final class Client extends Thread {
        private final int port;
        private final int number;
        private long sum;
        private IOException failure;

        Client(int port, int number) {
            this.port = port;
            this.number = number;
        }

        @Override
        public void run() {
            try (Connection connection = new Connection(port)) {
                for (int i = 0; i < REQUESTS; i++) {
                    String page = connection.get("/page?order=" + (number * REQUESTS + i) + "&name=client%20" + number);
                    sum = sum * 31 + page.hashCode();
                }
            } catch (IOException e) {
                failure = e;
            }
        }
    }

    private static long serve(int port) throws Exception {
        Client[] clients = new Client[CLIENTS];
        for (int i = 0; i < CLIENTS; i++) {
            clients[i] = new Client(port, i);
            clients[i].start();
        }
        long sum = 0;
        for (Client client : clients) {
            client.join();
            if (client.failure != null) {
                throw client.failure;
            }
            sum = sum * 31 + client.sum;
        }
        return sum;
    }

    public static void main(String[] args) throws Exception {
        Logger.getLogger("org.apache").setLevel(Level.SEVERE);
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(Files.createTempDirectory(Path.of("."), "tomcat").toString());
        tomcat.setPort(0);
        // Else the server closes a connection after a hundred requests.
        tomcat.getConnector().setProperty("maxKeepAliveRequests", "-1");
        Context context = tomcat.addContext("", null);
        Tomcat.addServlet(context, "page", new Page());
        context.addServletMappingDecoded("/page", "page");
        tomcat.start();
        int port = tomcat.getConnector().getLocalPort();
        try (Connection first = new Connection(port)) {
            first.get("/page?order=1&name=first");
        }
        long started = ManagementFactory.getRuntimeMXBean().getStartTime();
        Iterations.figure("first-answer", (System.currentTimeMillis() - started) * 1_000_000);
        Iterations.run(args, () -> serve(port));
        tomcat.stop();
        tomcat.destroy();
    }
}
