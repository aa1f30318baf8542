package com.acme.modular;

public class Counter {
    private int count;

    public void add() {
        count++;
    }
}
