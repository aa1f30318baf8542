package com.acme.door;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.acme.stock.Shelf;
import org.junit.jupiter.api.Test;

class DoorIT {
    @Test
    void enters() throws InterruptedException {
        assertTrue(Boolean.getBoolean("acme.own"), "the project's own argLine");
        Door door = new Door();
        Shelf.twice(door::enter);
    }
}
