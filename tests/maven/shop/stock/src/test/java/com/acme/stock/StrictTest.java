package com.acme.stock;

import org.junit.Rule;
import org.junit.Test;
import racewire.junit.RacewireRule;

/** JUnit 4 lets a rule fail a test, not a listener. */
public class StrictTest {
    @Rule
    public RacewireRule racewire = new RacewireRule();

    @Test
    public void weighs() throws InterruptedException {
        Scale scale = new Scale();
        Shelf.twice(scale::weigh);
    }

    @Test
    public void weighsAlone() {
        new Scale().weigh();
    }
}
