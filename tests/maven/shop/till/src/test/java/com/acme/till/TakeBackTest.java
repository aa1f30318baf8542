package com.acme.till;

import com.acme.stock.Shelf;
import org.testng.annotations.Test;

public class TakeBackTest {
    @Test
    public void takeBacks() throws InterruptedException {
        Till till = new Till();
        Shelf.twice(till::takeBack);
    }

    @Test(dependsOnMethods = "takeBacks", alwaysRun = true)
    public void takeBacksAlone() {
        new Till().takeBack();
    }
}
