package com.acme.stock;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class ShelfTest {
    @Test
    public void puts() throws InterruptedException {
        Shelf shelf = new Shelf();
        Shelf.twice(shelf::put);
    }

    @Test
    public void counts() throws InterruptedException {
        Shelf shelf = new Shelf();
        Shelf.twice(shelf::count);
        assertEquals(3, shelf.count());
    }
}
