import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Threads that have used many arrays and containers and have ended, but that nobody joins or forgets: what they kept to find
 * these sooner goes. Prints how many KB it was while they were there, and how many are left.
 */
public final class Ended {
    /** Not so many that the last ones to begin would find the first ones ended. */
    private static final int THREADS = 20;

    private static final List<Thread> threads = new ArrayList<>();
    private static volatile int found;

    public static void main(String[] args) throws Exception {
        int count = Integer.parseInt(args[0]);
        CountDownLatch used = new CountDownLatch(THREADS);
        CountDownLatch end = new CountDownLatch(1);
        use(1);
        long before = Memory.liveKb();
        for (int i = 0; i < THREADS; i++) {
            Thread thread = new Thread(() -> {
                use(count);
                used.countDown();
                try {
                    end.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            });
            threads.add(thread);
            thread.start();
        }
        used.await();
        long grown = Memory.liveKb() - before;
        end.countDown();
        Memory.waitUntilGone(before, grown, 4);
    }

    private static void use(int count) {
        int sum = 0;
        for (int i = 0; i < count; i++) {
            int[] array = new int[8];
            array[i % 8] = i;
            List<Object> list = new ArrayList<>();
            list.add(array);
            sum += array[i % 7] + list.size();
            kept = list;
        }
        found = sum;
    }

    /** What others can see is monitored. */
    private static volatile Object kept;
}
