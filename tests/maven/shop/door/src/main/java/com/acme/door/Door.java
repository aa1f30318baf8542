package com.acme.door;

/** Counts who comes in. */
public class Door {
    private int visitors;

    public void enter() {
        visitors++;
    }

    public void neverCalled() {
        visitors--;
    }
}
