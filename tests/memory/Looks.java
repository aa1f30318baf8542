import java.util.concurrent.CountDownLatch;

/**
 * Threads that look at ever other things under eight locks before each of the same places: what is kept of that. Prints how many KB
 * each thread has made the heap larger by.
 */
public final class Looks {
    private static final int THREADS = 8;
    private static final int FLAGS = 64;

    static final class Flag {
        boolean set;
        int a, b, c, d, e, f, g, h;
    }

    private static final Object[] locks = new Object[8];
    private static final Flag[] flags = new Flag[FLAGS];

    public static void main(String[] args) throws Exception {
        int count = Integer.parseInt(args[0]);
        for (int i = 0; i < locks.length; i++) {
            locks[i] = new Object();
        }
        for (int i = 0; i < flags.length; i++) {
            flags[i] = new Flag();
        }
        CountDownLatch looked = new CountDownLatch(THREADS);
        CountDownLatch mayEnd = new CountDownLatch(1);
        look(0, 0);
        long before = Memory.liveKb();
        for (int i = 0; i < THREADS; i++) {
            Thread thread = new Thread(() -> {
                for (int n = 1; n <= count; n++) {
                    look(n, 0);
                }
                looked.countDown();
                await(mayEnd);
            });
            thread.setDaemon(true);
            thread.start();
        }
        looked.await();
        System.out.println("each " + (Memory.liveKb() - before) / THREADS);
    }

    private static void look(int n, int held) {
        if (held < locks.length) {
            synchronized (locks[held]) {
                look(n, held + 1);
            }
            return;
        }
        Flag first = flags[n % flags.length];
        if (!isSet(n + 1)) {
            first.a = n;
        }
        if (!isSet(n + 2)) {
            first.b = n;
        }
        if (!isSet(n + 3)) {
            first.c = n;
        }
        if (!isSet(n + 4)) {
            first.d = n;
        }
        if (!isSet(n + 5)) {
            first.e = n;
        }
        if (!isSet(n + 6)) {
            first.f = n;
        }
        if (!isSet(n + 7)) {
            first.g = n;
        }
        if (!isSet(n + 8)) {
            first.h = n;
        }
    }

    private static boolean isSet(int n) {
        return flags[n % flags.length].set;
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
