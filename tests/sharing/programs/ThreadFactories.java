import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

/** A ThreadFactory and a ThreadGroup of the program, called by pools and dying threads. */
public class ThreadFactories {
    static class Factory implements ThreadFactory {
        int made;

        @Override
        public Thread newThread(Runnable task) {
            made++; // shared: made
            return new Thread(() -> {
                made += 2; // shared: made
                task.run();
            });
        }
    }

    static class Group extends ThreadGroup {
        int failures;

        Group() {
            super("group");
        }

        @Override
        public void uncaughtException(Thread thread, Throwable thrown) {
            failures++; // shared: failures
        }
    }

    /** A factory that only main uses. */
    static class Unused implements ThreadFactory {
        int calls;

        @Override
        public Thread newThread(Runnable task) {
            calls++; // local: calls
            return new Thread(task);
        }
    }

    public static void main(String[] args) throws Exception {
        Factory factory = new Factory();
        ExecutorService pool = Executors.newSingleThreadExecutor(factory);
        pool.submit(() -> "done").get();
        pool.shutdown();
        Group group = new Group();
        group.failures = 1; // shared: failures
        Thread thread = new Thread(group, () -> {
            throw new IllegalStateException();
        });
        thread.start();
        thread.join();
        Unused unused = new Unused();
        Thread other = unused.newThread(() -> System.out.println("other"));
        other.start();
        other.join();
        System.out.println(factory.made + group.failures); // shared: made, failures
        System.out.println(unused.calls); // local: calls
    }
}
