import java.util.ArrayList;
import java.util.List;

/** Virtual threads that wait for a monitor while the collector moves it: none may lose sight of it. */
public final class WaitingVirtually {
    private static final int THREADS = 40;

    static final class Door {
        int passed;
    }

    private static void pass(Door door) {
        synchronized (door) {
            door.passed++;
        }
    }

    /** A new object is moved by a collection or two. */
    private static void collect() {
        List<byte[]> others = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            others.add(new byte[1000]);
        }
        System.gc();
        System.gc();
    }

    public static void main(String[] args) throws InterruptedException {
        int passed = 0;
        for (int round = 0; round < 3; round++) {
            Door door = new Door();
            List<Thread> waiting = new ArrayList<>();
            synchronized (door) {
                for (int i = 0; i < THREADS; i++) {
                    waiting.add(Thread.startVirtualThread(() -> pass(door)));
                }
                Thread.sleep(100);
                collect();
            }
            for (Thread thread : waiting) {
                thread.join();
            }
            passed += door.passed;
        }
        System.out.println(passed);
    }
}
