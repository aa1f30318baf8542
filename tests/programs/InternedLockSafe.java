// expect none
/** Interned strings and class objects are the same lock wherever they are written. */
public class InternedLockSafe {
    static int text;
    static int type;

    static class Other {
        static void touch() {
            synchronized ("a lock of text") {
                text++;
            }
            synchronized (int[].class) {
                type++;
            }
        }
    }

    static void touch() {
        String half = "a lock";
        synchronized ((half + " of text").intern()) {
            text++;
            System.out.println(text);
        }
        synchronized (new int[0].getClass()) {
            type++;
        }
    }

    public static void main(String[] args) {
        inTurn(InternedLockSafe::touch, Other::touch, InternedLockSafe::touch);
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
