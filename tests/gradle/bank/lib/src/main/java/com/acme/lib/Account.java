package com.acme.lib;

/** Books without a lock. */
public class Account {
    private int balance;

    public void book() {
        balance++;
    }
}
