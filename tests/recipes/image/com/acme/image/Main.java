package com.acme.image;

public class Main {
    private static int count;

    public static void main(String[] args) throws InterruptedException {
        Thread[] threads = {new Thread(() -> count++), new Thread(() -> count++)};
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("done");
    }
}
