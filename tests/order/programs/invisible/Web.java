package invisible;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;

/** The other end of connections, which is not woven: a server that says hello, a client that asks. */
public final class Web {
    private static final String LISTENS_TO = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    private Web() {}

    /** Answers every request with two lines; runs as long as the JVM does not end. */
    public static URI serve() throws IOException {
        HttpServer server = HttpServer.create(address(), 0);
        server.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            byte[] text = "hello\nworld\n".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, text.length);
            exchange.getResponseBody().write(text);
            exchange.close();
        });
        server.setExecutor(task -> daemon(task).start());
        // Its dispatcher is no daemon unless who starts it is one.
        Thread starts = daemon(server::start);
        starts.start();
        Stage.ended(starts);
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
    }

    private static InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        return thread;
    }

    /** Sends these texts to every one who connects (RFC 6455). */
    public static URI talk(String... texts) throws IOException {
        return talkAfter(new Stage(), 0, texts);
    }

    /** The same, but answers nobody before stage {@code n} is reached. */
    public static URI talkAfter(Stage stage, int n, String... texts) throws IOException {
        ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        daemon(() -> {
            for (;;) {
                try {
                    Socket socket = server.accept();
                    daemon(() -> {
                        stage.await(n);
                        talk(socket, texts);
                    }).start();
                } catch (IOException e) {
                    return;
                }
            }
        }).start();
        return URI.create("ws://127.0.0.1:" + server.getLocalPort() + "/");
    }

    private static void talk(Socket socket, String[] texts) {
        try (Socket open = socket) {
            InputStream in = open.getInputStream();
            OutputStream out = open.getOutputStream();
            StringBuilder head = new StringBuilder();
            while (head.indexOf("\r\n\r\n") < 0) {
                head.append((char) in.read());
            }
            String key = head.substring(head.indexOf("Sec-WebSocket-Key:") + 18).trim().split("\r\n")[0];
            byte[] hash = MessageDigest.getInstance("SHA-1").digest((key + LISTENS_TO).getBytes(StandardCharsets.US_ASCII));
            out.write(("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Accept: " + Base64.getEncoder().encodeToString(hash) + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            for (String text : texts) {
                out.write(new byte[] {(byte) 0x81, (byte) text.length()});
                out.write(text.getBytes(StandardCharsets.US_ASCII));
            }
            out.flush();
            while (in.read() >= 0) {
                // Until the other end has had enough.
            }
        } catch (Exception e) {
            // The other end has gone.
        }
    }

    /** Asks the server at this port, and waits for its answer. */
    public static void ask(int port) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write("GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            socket.getInputStream().readAllBytes();
        }
    }
}
