package app;

/** Figure 1 of the paper, with threads that take turns. */
public class Task implements Runnable {
    static int shared;
    static int sharedProtected;
    int notShared;

    public void run() {
        shared++;
        synchronized (Task.class) {
            sharedProtected++;
        }
        notShared++;
    }

    static void main() throws InterruptedException {
        Thread first = new Thread(new Task());
        first.start();
        first.join();
        Thread second = new Thread(new Task());
        second.start();
        second.join();
    }
}
