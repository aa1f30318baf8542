package protectedfield;

import protectedfield.base.Base;

// expect none
/** Protected fields inherited from another package, under the lock of the object. */
public class ProtectedSafe extends Base {
    synchronized void touch() {
        count++;
        text = text + "x";
        this.open++;
        super.half += 0.5;
        Runnable inner = () -> count++;
        inner.run();
        synchronized (Base.class) {
            total += 2;
        }
    }

    public static void main(String[] args) {
        ProtectedSafe o = new ProtectedSafe();
        inTurn(o::touch, o::touch, () -> {
            synchronized (Base.class) {
                synchronized (o) {
                    System.out.println(o.count + " " + total + " " + o.text + " " + o.open + " " + o.half);
                }
            }
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
