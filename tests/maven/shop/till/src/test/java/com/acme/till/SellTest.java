package com.acme.till;

import com.acme.stock.Shelf;
import org.testng.annotations.Test;

public class SellTest {
    @Test
    public void sells() throws InterruptedException {
        Till till = new Till();
        Shelf.twice(till::sell);
    }

    @Test(dependsOnMethods = "sells", alwaysRun = true)
    public void sellsAlone() {
        new Till().sell();
    }
}
