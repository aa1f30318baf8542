// expect none
/** Accesses through null still throw where they did, with nothing recorded; also inside synchronized. */
public class NullOwnerSafe {
    int value;
    long wide;

    static String attempt(Runnable access) {
        try {
            access.run();
            return "no exception";
        } catch (NullPointerException e) {
            return "null";
        }
    }

    public static void main(String[] args) {
        NullOwnerSafe none = args.length > 5 ? new NullOwnerSafe() : null;
        Runnable task = () -> System.out.println(attempt(() -> none.value++) + attempt(() -> none.wide = 3L)
            + attempt(() -> System.out.println(none.wide)) + attempt(() -> {
                synchronized (none) {
                    none.value = 1;
                }
            }));
        inTurn(task, task);
    }

    /** One thread per task, each after the end of the one before, without anything that orders them. */
    static void inTurn(Runnable... tasks) {
        for (Runnable task : tasks) {
            Thread thread = new Thread(task);
            thread.start();
            finish(thread);
        }
    }

    /** Unlike join() this is no synchronization (JLS 17.4.5), for whatever detector. */
    static void finish(Thread thread) {
        while (thread.getState() != Thread.State.TERMINATED) {
            Thread.yield();
        }
    }
}
