/** Strings and boxes that look alike are not the same lock. */
public class InternedLockRaces {
    static int text;
    static int box;

    @SuppressWarnings("removal")
    static void touch() {
        synchronized (new String("lock")) {
            text++; // expect race: text
        }
        synchronized (new Object()) {
            box++; // expect race: box
        }
    }

    public static void main(String[] args) {
        inTurn(InternedLockRaces::touch, InternedLockRaces::touch, InternedLockRaces::touch);
        System.out.println("done");
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
