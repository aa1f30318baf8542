package com.acme;

/** One way to book that is safe, one that is not. */
public class Account {
    private int balance;
    private int safe;

    public void book(int amount) {
        balance += amount;
    }

    public synchronized void bookSafely(int amount) {
        safe += amount;
    }

    public synchronized int safe() {
        return safe;
    }

    /** Both threads run the task, one after the other, in an order that nothing but chance decides. */
    public static void twice(Runnable task) {
        Thread[] threads = {new Thread(task), new Thread(task)};
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
