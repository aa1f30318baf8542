/** Objects that reach a static only in a catch block, in a finally block, or as a suppressed exception. */
public class CatchFlows {
    static class Cell implements AutoCloseable {
        int caught;
        int cleanedUp;
        int closed;

        @Override
        public void close() {
            published[2] = this; // shared: published
        }
    }

    static Cell[] published = new Cell[3];

    static int parse(String text, Cell onError, Cell atEnd) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            published[0] = onError; // shared: published
            return 0;
        } finally {
            published[1] = atEnd; // shared: published
        }
    }

    static int parseQuietly(String text, Cell unused) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            unused.caught++; // local: caught
            return 1;
        } finally {
            unused.cleanedUp++; // local: cleanedUp
        }
    }

    public static void main(String[] args) throws Exception {
        Cell a = new Cell();
        Cell b = new Cell();
        Cell c = new Cell();
        parse("x", a, b);
        try (Cell resource = c) {
            resource.closed = 1; // shared: closed
        }
        Thread thread = new Thread(() -> {
            published[0].caught++; // shared: published, caught
            published[1].cleanedUp++; // shared: published, cleanedUp
            published[2].closed++; // shared: published, closed
        });
        thread.start();
        thread.join();
        System.out.println(a.caught + b.cleanedUp + c.closed); // shared: caught, cleanedUp, closed
        Cell local = new Cell();
        parseQuietly("y", local);
        System.out.println(local.caught + local.cleanedUp); // local: caught, cleanedUp
    }
}
