/** One thread writes, the other only reads: RACER reports (section 4.7), ERASER calls the first write initialisation. */
public class WriteThenReadRaces {
    int written;
    int readFirst;

    public static void main(String[] args) {
        WriteThenReadRaces o = new WriteThenReadRaces();
        inTurn(() -> {
            o.written = 7; // expect race[racer]: written
            System.out.println(o.readFirst); // expect race[racer]: readFirst
        }, () -> {
            System.out.println(o.written); // expect race[racer]: written
            o.readFirst = 9; // expect race[racer]: readFirst
        });
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
