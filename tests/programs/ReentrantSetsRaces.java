import java.util.concurrent.atomic.AtomicBoolean;

/** The same lock at the same depth, once alone, once again inside itself, over different locks below. */
public class ReentrantSetsRaces {
    static final Object A = new Object();
    static final Object B = new Object();
    static final Object C = new Object();
    static final Object X = new Object();
    static final AtomicBoolean GO = new AtomicBoolean();
    static int guarded;
    static int racy;
    static int other;

    public static void main(String[] args) throws InterruptedException {
        Thread thread = new Thread(() -> {
            while (!GO.get()) {
                Thread.onSpinWait();
            }
            synchronized (A) {
                guarded++;
                racy++; // expect race[racer]: racy
            }
        });
        thread.start();
        synchronized (A) {
            other++;
            synchronized (X) {
                other++;
            }
        }
        synchronized (X) {
            other++;
            synchronized (X) {
                other++;
            }
        }
        synchronized (A) {
            other++;
            synchronized (X) {
                guarded++;
            }
        }
        synchronized (B) {
            synchronized (C) {
                other++;
                synchronized (X) {
                    other++;
                }
            }
        }
        synchronized (A) {
            synchronized (X) {
                other++;
                synchronized (X) {
                    other++;
                }
            }
        }
        synchronized (B) {
            synchronized (C) {
                other++;
                synchronized (X) {
                    racy++; // expect race[racer]: racy
                }
            }
        }
        GO.set(true);
        thread.join();
        System.out.println(other);
    }
}
