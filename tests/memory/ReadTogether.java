import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;

/**
 * Objects that many threads read, which are gone then: what the threads knew of their reads goes, too, though they wait for more.
 * Prints how many KB it was when the last of these objects went, and how many are left.
 */
public final class ReadTogether {
    private static final int THREADS = 20;

    static final class Shared {
        int value = 1;
    }

    private static final CyclicBarrier step = new CyclicBarrier(THREADS + 1);
    private static volatile Shared[] all;
    private static volatile int sum;

    public static void main(String[] args) throws Exception {
        int count = Integer.parseInt(args[0]);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Thread thread = new Thread(ReadTogether::readAll);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
        readTogether(1);
        long before = Memory.liveKb();
        readTogether(count);
        long grown = Memory.liveKb() - before;
        all = null;
        Memory.waitUntilGone(before, grown, 8);
    }

    private static void readTogether(int count) throws Exception {
        Shared[] made = new Shared[count];
        for (int i = 0; i < count; i++) {
            made[i] = new Shared();
        }
        all = made;
        step.await();
        step.await();
    }

    private static void readAll() {
        try {
            while (true) {
                step.await();
                int found = 0;
                for (Shared one : all) {
                    found += one.value;
                }
                sum = found;
                step.await();
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
