package web;

import jakarta.servlet.annotation.WebServlet;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.CyclicBarrier;

/** One object serves every request: its field is shared by the container's threads. */
@WebServlet("/count")
public class CounterServlet extends HttpServlet {
    private static final long serialVersionUID = 1;
    private final transient CyclicBarrier two = new CyclicBarrier(2);
    private int visits;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try {
            // Two requests at once are two threads.
            two.await();
            visits++;
            two.await();
        } catch (Exception e) {
            throw new IOException(e);
        }
        response.getWriter().print("counted");
    }
}
