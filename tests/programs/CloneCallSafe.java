// expect none
import java.util.concurrent.atomic.AtomicBoolean;

/** {@code clone()} called without {@code super}, on a class that has none of its own: the copy is a new object. */
public class CloneCallSafe implements Cloneable {
    static final Object LOCK = new Object();
    static final AtomicBoolean GO = new AtomicBoolean();
    int x;

    CloneCallSafe copy() throws CloneNotSupportedException {
        return (CloneCallSafe) clone();
    }

    public static void main(String[] args) throws InterruptedException {
        CloneCallSafe source = new CloneCallSafe();
        Thread thread = new Thread(() -> {
            while (!GO.get()) {
                Thread.onSpinWait();
            }
            try {
                CloneCallSafe mine;
                synchronized (LOCK) {
                    mine = source.copy();
                }
                System.out.println(++mine.x);
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        });
        thread.start();
        synchronized (LOCK) {
            source.x = 5;
        }
        GO.set(true);
        thread.join();
    }
}
