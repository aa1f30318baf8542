import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;

/** Whether the runtime notices collections. Prints how many there were, and how many of them it missed. */
public final class Collected {
    private static Object garbage;

    public static void main(String[] args) throws Exception {
        int count = Integer.parseInt(args[0]);
        Class<?> type = Class.forName("racewire.rt.CollectorWatch");
        Constructor<?> make = type.getDeclaredConstructor();
        Method await = type.getDeclaredMethod("await", long.class);
        make.setAccessible(true);
        await.setAccessible(true);
        Object watch = make.newInstance();
        int missed = 0;
        for (int i = 0; i < count; i++) {
            long before = collections();
            boolean noticed;
            do {
                for (int n = 0; n < 100; n++) {
                    garbage = new byte[10_000];
                }
                noticed = (boolean) await.invoke(watch, 1L);
            } while (collections() == before);
            if (!noticed && !(boolean) await.invoke(watch, 1000L)) {
                missed++;
            }
        }
        System.out.println("grown " + count);
        System.out.println("left " + missed);
    }

    private static long collections() {
        long all = 0;
        for (GarbageCollectorMXBean bean : ManagementFactory.getGarbageCollectorMXBeans()) {
            all += bean.getCollectionCount();
        }
        return all;
    }
}
