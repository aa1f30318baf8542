// expect none
/** Any number of threads may read what was written before they were started. */
public class ReadOnlySafe {
    int value;
    static int shared;

    public static void main(String[] args) {
        ReadOnlySafe o = new ReadOnlySafe();
        o.value = 3;
        shared = 4;
        Runnable reader = () -> System.out.println(o.value + shared);
        inTurn(reader, reader, reader);
        System.out.println(o.value);
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
