// expect none
/** Records shared freely, their statics under a lock; accessors, equals, hashCode and toString of the compiler. */
public class RecordSafe {
    record Point(int x, String name) {
        private static int made;

        Point {
            synchronized (Point.class) {
                made++;
            }
        }

        static synchronized int made() {
            return made;
        }
    }

    public static void main(String[] args) {
        Point shared = new Point(1, "one");
        Runnable task = () -> {
            Point mine = new Point(1, "one");
            System.out.println(mine.equals(shared) + " " + (mine.hashCode() == shared.hashCode()) + " " + shared + Point.made());
        };
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
