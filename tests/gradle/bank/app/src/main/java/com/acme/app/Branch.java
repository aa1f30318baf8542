package com.acme.app;

/** Tested by nobody; what is wrong with it can be seen without a run. */
public class Branch {
    private int visitors;

    public void enter() {
        int before;
        synchronized (this) {
            before = visitors;
        }
        synchronized (this) {
            visitors = before + 1;
        }
    }
}
