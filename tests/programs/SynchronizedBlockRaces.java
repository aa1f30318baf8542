/** Every way out of a synchronized block releases the lock: what follows is unprotected. */
public class SynchronizedBlockRaces {
    final Object lock = new Object();
    int afterNormal;
    int afterThrow;
    int afterNested;
    int afterBreak;
    int afterContinue;
    int afterReturn;

    int locked() {
        synchronized (lock) {
            return 1;
        }
    }

    void touch() {
        synchronized (lock) {
            lock.hashCode();
        }
        afterNormal++; // expect race: afterNormal
        try {
            synchronized (lock) {
                throw new IllegalStateException();
            }
        } catch (IllegalStateException e) {
            afterThrow++; // expect race: afterThrow
        }
        synchronized (lock) {
            synchronized (lock) {
                lock.hashCode();
            }
        }
        afterNested++; // expect race: afterNested
        for (int i = 0; i < 2; i++) {
            synchronized (lock) {
                if (i == 1) {
                    break;
                }
            }
        }
        afterBreak++; // expect race: afterBreak
        for (int i = 0; i < 2; i++) {
            afterContinue++; // expect race: afterContinue
            synchronized (lock) {
                if (i == 0) {
                    continue;
                }
            }
        }
        afterReturn += locked(); // expect race: afterReturn
    }

    public static void main(String[] args) {
        SynchronizedBlockRaces o = new SynchronizedBlockRaces();
        inTurn(o::touch, o::touch);
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
