// expect none
/** Synchronized methods of every shape: instance, static, throwing, recursive, wide results, overriding, lambda inside. */
public class SynchronizedMethodSafe {
    int count;
    static long total;

    synchronized int recursive(int n) {
        count++;
        return n == 0 ? count : recursive(n - 1) + count;
    }

    synchronized void failing() throws Exception {
        count++;
        throw new Exception();
    }

    static synchronized long wide(long a, double b, String... c) {
        total += a + (long) b + c.length;
        return total;
    }

    synchronized double withBlock() {
        synchronized (this) {
            count++;
        }
        Runnable inner = () -> count++;
        inner.run();
        return count;
    }

    static class Overriding extends SynchronizedMethodSafe {
        @Override
        synchronized int recursive(int n) {
            count += 2;
            return super.recursive(n);
        }
    }

    void touch() {
        try {
            failing();
        } catch (Exception e) {
            System.out.println(recursive(2));
        }
        System.out.println(wide(1L, 2.5, "a", "b") + " " + withBlock());
    }

    public static void main(String[] args) {
        SynchronizedMethodSafe o = new Overriding();
        inTurn(o::touch, o::touch);
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
