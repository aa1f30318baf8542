// expect none
/** Static fields of every type, always under the lock of their class. */
public class StaticFieldsSafe {
    static boolean z;
    static byte b;
    static char c;
    static short s;
    static int i;
    static long j;
    static float f;
    static double d;
    static String text;
    static long[] array;
    static int[][] nested;

    static void touch() {
        synchronized (StaticFieldsSafe.class) {
            z = !z;
            b++;
            c++;
            s += 2;
            i++;
            j += i;
            f += 0.5f;
            d = d + 0.25;
            text = text == null ? "x" : text + "x";
            array = array == null ? new long[] {1} : array.clone();
            nested = nested == null ? new int[3][2] : nested.clone();
        }
    }

    static synchronized void print() {
        System.out.println(z + " " + b + " " + (int) c + " " + s + " " + i + " " + j + " " + f + " " + d + " " + text);
        System.out.println(array.length + " " + nested.length);
    }

    public static void main(String[] args) {
        inTurn(StaticFieldsSafe::touch, StaticFieldsSafe::touch, StaticFieldsSafe::print);
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
