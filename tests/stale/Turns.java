package stale;

import java.util.concurrent.CountDownLatch;

/** Who comes when: not woven, so that nothing here is seen. */
public final class Turns {
    private final CountDownLatch paused = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    public void pause() {
        paused.countDown();
        await(goOn);
    }

    public void awaitPause() {
        await(paused);
    }

    public void goOn() {
        goOn.countDown();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
