// expect none
/** Instance fields of every type, always under the lock of their object. */
public class InstanceFieldsSafe {
    boolean z;
    byte b;
    char c;
    short s;
    int i;
    long j;
    float f;
    double d;
    String text;
    int[] array;
    Object[][] nested;

    void touch() {
        synchronized (this) {
            z = !z;
            b++;
            c++;
            s += 2;
            i++;
            j += i;
            f += 0.5f;
            d = d + 0.25;
            text = text == null ? "x" : text + "x";
            array = array == null ? new int[] {1} : array.clone();
            nested = nested == null ? new Object[2][] : nested.clone();
        }
    }

    void print() {
        synchronized (this) {
            System.out.println(z + " " + b + " " + (int) c + " " + s + " " + i + " " + j + " " + f + " " + d + " " + text);
            System.out.println(array.length + " " + nested.length);
        }
    }

    public static void main(String[] args) {
        InstanceFieldsSafe shared = new InstanceFieldsSafe();
        inTurn(shared::touch, shared::touch, shared::print);
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
