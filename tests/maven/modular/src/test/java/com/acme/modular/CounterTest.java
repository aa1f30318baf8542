package com.acme.modular;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class CounterTest {
    @Test
    void adds() throws InterruptedException {
        assertTrue(Counter.class.getModule().isNamed(), "on the module path");
        Counter counter = new Counter();
        Thread[] threads = {new Thread(counter::add), new Thread(counter::add)};
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
