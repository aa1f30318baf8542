import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.ArrayList;
import java.util.List;

/**
 * Arrays that are old when they die, and a collector that marks while the program runs: what is kept of them must not keep them,
 * however often it is looked at meanwhile. Prints how many there were, and how many of them are still there after a while; nobody
 * asks for a collection of everything.
 */
public final class Promoted {
    private static final int TIMES = 5;
    /** Of 10 MB of garbage each: some 12 are enough, and a hundred where the collector is kept from it again and again. */
    private static final int MOST_ROUNDS = 50;
    private static int rounds;

    private static Object garbage;

    public static void main(String[] args) throws Exception {
        int count = Integer.parseInt(args[0]);
        int left = 0;
        for (int time = 0; time < TIMES; time++) {
            left += leftOf(count);
        }
        System.out.println("grown " + TIMES * count);
        System.out.println("left " + left);
        System.out.println("rounds " + rounds);
    }

    private static int leftOf(int count) throws InterruptedException {
        ReferenceQueue<Object> dead = new ReferenceQueue<>();
        List<Reference<Object>> references = new ArrayList<>();
        int[][] all = new int[count][];
        for (int i = 0; i < count; i++) {
            all[i] = new int[8];
            all[i][i % 8] = i;
            references.add(new PhantomReference<>(all[i], dead));
        }
        waste(100);
        all = null;
        int left = count;
        for (; left > 0 && rounds < MOST_ROUNDS; rounds++) {
            waste(10);
            while (dead.poll() != null) {
                left--;
            }
        }
        Reference.reachabilityFence(references);
        return left;
    }

    /** Makes so many MB of garbage. */
    private static void waste(int megabytes) throws InterruptedException {
        for (int i = 0; i < megabytes; i++) {
            garbage = new long[1 << 17];
            Thread.sleep(1);
        }
    }
}
