package com.acme.till;

import com.acme.stock.Shelf;

/** Sells from a shelf. */
public class Till {
    private final Shelf shelf = new Shelf();
    private int sold;

    public void sell() {
        sold++;
    }

    public void takeBack() {
        shelf.put();
    }
}
