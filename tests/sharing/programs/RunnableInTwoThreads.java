/** A Runnable handed to two threads, one whose fields main reads after join, and one per thread. */
public class RunnableInTwoThreads {
    static class Task implements Runnable {
        int runs;

        @Override
        public void run() {
            runs++; // shared: runs
        }
    }

    static class Result implements Runnable {
        int result;

        @Override
        public void run() {
            result = 42; // shared: result
        }
    }

    static class Single implements Runnable {
        int single;

        @Override
        public void run() {
            single++; // local: single
            single *= 2; // local: single
        }
    }

    public static void main(String[] args) throws Exception {
        Task task = new Task();
        Result result = new Result();
        Thread[] threads = {new Thread(task), new Thread(task), new Thread(result), new Thread(new Single())};
        for (Thread thread : threads) {
            thread.start();
            thread.join();
        }
        System.out.println(result.result); // shared: result
    }
}
