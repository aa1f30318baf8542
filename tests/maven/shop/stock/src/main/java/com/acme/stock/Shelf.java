package com.acme.stock;

/** A counter without a lock, and one with. */
public class Shelf {
    private int items;
    private int counted;

    public void put() {
        items++;
    }

    public synchronized int count() {
        return ++counted;
    }

    /** Both threads run the task, in an order that nothing decides. */
    public static void twice(Runnable task) throws InterruptedException {
        Thread[] threads = {new Thread(task), new Thread(task)};
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
