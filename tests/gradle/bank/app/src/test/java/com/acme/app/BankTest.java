package com.acme.app;

import org.testng.annotations.Test;

public class BankTest {
    private static void twice(Runnable task) throws InterruptedException {
        Thread[] threads = {new Thread(task), new Thread(task)};
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    @Test
    public void visits() throws InterruptedException {
        twice(new Bank()::visit);
    }

    @Test
    public void books() throws InterruptedException {
        twice(new Bank()::book);
    }

    @Test
    public void booksAlone() {
        new Bank().book();
    }
}
