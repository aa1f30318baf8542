/** An uncaught exception and its handler meet in the dying thread; both belong to main, too. */
public class UncaughtHandler {
    static class Handler implements Thread.UncaughtExceptionHandler {
        int handled;

        @Override
        public void uncaughtException(Thread thread, Throwable thrown) {
            handled++; // shared: handled
            ((Failure) thrown).seen++; // shared: seen
        }
    }

    static class Failure extends RuntimeException {
        private static final long serialVersionUID = 1;
        int seen;
    }

    /** Handles exceptions of main itself. */
    static class Direct {
        int attempts;

        void handle(Throwable thrown) {
            attempts++; // local: attempts
        }
    }

    public static void main(String[] args) throws Exception {
        Failure failure = new Failure();
        failure.seen = 1; // shared: seen
        Handler handler = new Handler();
        handler.handled = 1; // shared: handled
        Thread thread = new Thread(() -> {
            throw failure;
        });
        thread.setUncaughtExceptionHandler(handler);
        thread.start();
        thread.join();
        Direct direct = new Direct();
        try {
            throw new IllegalStateException();
        } catch (IllegalStateException e) {
            direct.handle(e);
        }
        System.out.println(handler.handled + failure.seen); // shared: handled, seen
        System.out.println(direct.attempts); // local: attempts
    }
}
