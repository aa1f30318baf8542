import java.util.ArrayList;
import java.util.List;

/**
 * Many arrays and containers that are all there at once, and then none of them, nor any other: what was kept of them goes,
 * too. Prints by how many KB the heap had grown, and how many of these are left.
 */
public final class Gone {
    private static Object[] all;

    public static void main(String[] args) throws Exception {
        int count = Integer.parseInt(args[0]);
        fill(1);
        all = null;
        long before = Memory.liveKb();
        fill(count);
        all = null;
        long grown = Memory.liveKb() - before;
        Memory.waitUntilGone(before, grown, 2);
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
}
