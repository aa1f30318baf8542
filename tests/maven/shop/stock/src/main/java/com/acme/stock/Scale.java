package com.acme.stock;

/** Weighs without a lock. */
public class Scale {
    private int weight;

    public void weigh() {
        weight++;
    }
}
