// expect none
/** A mutable field in an enum constant, under the lock of the constant; a switch over the enum. */
public class EnumSafe {
    enum Level {
        LOW, HIGH;

        private int uses;

        synchronized int use() {
            return ++uses;
        }
    }

    public static void main(String[] args) {
        Level.values();
        Runnable task = () -> {
            for (Level level : Level.values()) {
                int n = level.use();
                switch (level) {
                    case LOW -> System.out.println("low " + n);
                    case HIGH -> System.out.println("high " + n);
                }
            }
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
