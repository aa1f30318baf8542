/** Static fields of every type, read and written by two threads without a lock. */
public class StaticFieldsRaces {
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
        z = !z; // expect race: z
        b++; // expect race: b
        c++; // expect race: c
        s += 2; // expect race: s
        i++; // expect race: i
        j += i; // expect race: i, j
        f += 0.5f; // expect race: f
        d = d + 0.25; // expect race: d
        text = text == null ? "x" : text + "x"; // expect race: text
        array = array == null ? new long[] {1} : array.clone(); // expect race: array
        nested = nested == null ? new int[3][2] : nested.clone(); // expect race: nested
    }

    static void print() {
        System.out.println(z + " " + b + " " + (int) c + " " + s + " " + i + " " + j + " " + f + " " + d + " " + text); // expect race
        System.out.println(array.length + " " + nested.length); // expect race: array, nested
    }

    public static void main(String[] args) {
        inTurn(StaticFieldsRaces::touch, StaticFieldsRaces::touch, StaticFieldsRaces::print);
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
