import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * Threads that have used many arrays and containers, which are gone then: what they kept to find these sooner goes, too. They
 * have ended, but nobody joins or forgets them ({@code ended}), or they wait for work ({@code waiting}). Prints how many KB it
 * was when the last of these objects went, and how many are left.
 */
public final class Kept {
    /** Not so many that the last ones to begin would find the first ones ended. */
    private static final int THREADS = 20;

    private static final List<Thread> threads = new ArrayList<>();
    private static volatile int found;

    public static void main(String[] args) throws Exception {
        int count = Integer.parseInt(args[0]);
        boolean end = args[1].equals("ended");
        CountDownLatch used = new CountDownLatch(THREADS);
        CountDownLatch mayGo = new CountDownLatch(1);
        CountDownLatch gone = new CountDownLatch(THREADS);
        CountDownLatch mayEnd = new CountDownLatch(1);
        use(1);
        long before = Memory.liveKb();
        for (int i = 0; i < THREADS; i++) {
            Thread thread = new Thread(() -> {
                Object[] lists = use(count);
                used.countDown();
                await(mayGo);
                found += lists.length;
                lists = null;
                gone.countDown();
                await(mayEnd);
            });
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
        used.await();
        mayGo.countDown();
        gone.await();
        long grown = Memory.liveKb() - before;
        if (end) {
            mayEnd.countDown();
        }
        Memory.waitUntilGone(before, grown, 8);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Object[] use(int count) {
        int sum = 0;
        Object[] lists = new Object[count];
        for (int i = 0; i < count; i++) {
            int[] array = new int[8];
            array[i % 8] = i;
            List<Object> list = new ArrayList<>();
            list.add(array);
            sum += array[i % 7] + list.size();
            lists[i] = list;
            last = list;
        }
        last = null;
        found = sum;
        return lists;
    }

    /** What others can see is monitored. */
    private static volatile Object last;
}
