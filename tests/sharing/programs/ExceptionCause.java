import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** An exception thrown in a worker comes back as the cause of an ExecutionException; another is caught where thrown. */
public class ExceptionCause {
    static class Failure extends RuntimeException {
        private static final long serialVersionUID = 1;
        int detail;
        int completed;
    }

    static class Handled extends RuntimeException {
        private static final long serialVersionUID = 1;
        int code;
    }

    static Object fail() {
        try {
            Handled handled = new Handled();
            handled.code = 1; // local: code
            throw handled;
        } catch (Handled e) {
            e.code++; // local: code
        }
        Failure failure = new Failure();
        failure.detail = 2; // shared: detail
        failure.completed = 2; // shared: completed
        throw failure;
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newSingleThreadExecutor();
        Future<Object> future = pool.submit(ExceptionCause::fail);
        CompletableFuture<Object> stage = CompletableFuture.supplyAsync(ExceptionCause::fail, pool);
        try {
            future.get();
        } catch (ExecutionException e) {
            ((Failure) e.getCause()).detail++; // shared: detail
        }
        try {
            stage.get();
        } catch (ExecutionException e) {
            Failure failure = (Failure) e.getCause();
            System.out.println(failure.completed++); // shared: completed
        }
        pool.shutdown();
    }
}
