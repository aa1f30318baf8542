package com.acme.app;

import com.acme.lib.Account;

/** Counts without a lock, and books on an account of the other project. */
public class Bank {
    private final Account account = new Account();
    private int visits;

    public void visit() {
        visits++;
    }

    public void book() {
        account.book();
    }
}
