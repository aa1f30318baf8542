package app;

import java.util.concurrent.locks.ReentrantLock;

/** Runs something for each figure. */
public class Main {
    private final ReentrantLock lock = new ReentrantLock();

    void m() {
        lock.lock();
        try {
            System.out.println("in m");
        } finally {
            lock.unlock();
        }
    }

    static void blocks(Object plain, TaskQueue queue) {
        synchronized (plain) {
            synchronized (queue) {
                System.out.println("in both");
            }
        }
        try {
            synchronized (plain) {
                throw new IllegalStateException();
            }
        } catch (IllegalStateException expected) {
            System.out.println("out again");
        }
    }

    public static void main(String[] args) throws InterruptedException {
        System.out.println("-- m");
        new Main().m();
        System.out.println("-- blocks");
        blocks(new Object(), new TaskQueue());
        System.out.println("-- a queue as any object");
        blocks(new TaskQueue(), new TaskQueue());
        System.out.println("-- push");
        System.out.println(new TaskQueue().push());
        System.out.println("-- tasks");
        Task.main();
    }
}
