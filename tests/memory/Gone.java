import java.util.ArrayList;
import java.util.List;

/**
 * Many arrays and containers that are all there at once, and then none of them, nor any other: what was kept of them goes,
 * too. Prints by how many KB the heap had grown, and how many of these are left.
 */
public final class Gone {
    private static final long PATIENCE_NANOS = 30_000_000_000L;

    private static Object[] all;

    public static void main(String[] args) throws Exception {
        int count = Integer.parseInt(args[0]);
        fill(1);
        all = null;
        long before = usedKb();
        fill(count);
        all = null;
        long grown = usedKb() - before;
        long begin = System.nanoTime();
        long left = grown;
        while (left > grown / 2 && System.nanoTime() - begin < PATIENCE_NANOS) {
            Thread.sleep(50);
            left = usedKb() - before;
        }
        System.out.println("grown " + grown);
        System.out.println("left " + Math.max(0, left));
    }

    private static void fill(int count) {
        all = new Object[count];
        for (int i = 0; i < count; i++) {
            if (i % 2 == 0) {
                int[] array = new int[8];
                array[i % 8] = i;
                all[i] = array;
            } else {
                List<Object> list = new ArrayList<>();
                list.add(all);
                all[i] = list;
            }
        }
    }

    private static long usedKb() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return (runtime.totalMemory() - runtime.freeMemory()) / 1024;
    }
}
