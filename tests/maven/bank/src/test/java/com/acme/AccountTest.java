package com.acme;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class AccountTest {
    @Test
    void booksSafely() {
        Account account = new Account();
        Account.twice(() -> account.bookSafely(1));
        assertEquals(2, account.safe());
    }

    @Test
    void books() {
        Account account = new Account();
        Account.twice(() -> account.book(1));
    }
}
