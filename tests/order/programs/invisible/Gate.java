package invisible;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Keeps a crowd until all of it is there. As little to be seen as {@link Stage}, but for thousands of threads. */
public final class Gate {
    private final AtomicInteger crowd = new AtomicInteger();
    private final CountDownLatch arrived;
    private final CountDownLatch open = new CountDownLatch(1);

    public Gate(int crowd) {
        arrived = new CountDownLatch(crowd);
    }

    /** One of the crowd waits here; gives how many had come before. */
    public int pass() {
        int nth = crowd.getAndIncrement();
        arrived.countDown();
        await(open);
        return nth;
    }

    /** Waits for all of them, and lets them go. */
    public void open() {
        await(arrived);
        open.countDown();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
