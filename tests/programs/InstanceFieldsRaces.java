/** Instance fields of every type, read and written by two threads without a lock. */
public class InstanceFieldsRaces {
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
        z = !z; // expect race: z
        b++; // expect race: b
        c++; // expect race: c
        s += 2; // expect race: s
        i++; // expect race: i
        j += i; // expect race: i, j
        f += 0.5f; // expect race: f
        d = d + 0.25; // expect race: d
        text = text == null ? "x" : text + "x"; // expect race: text
        array = array == null ? new int[] {1} : array.clone(); // expect race: array
        nested = nested == null ? new Object[2][] : nested.clone(); // expect race: nested
    }

    void print() {
        System.out.println(z + " " + b + " " + (int) c + " " + s + " " + i + " " + j + " " + f + " " + d + " " + text); // expect race
        System.out.println(array.length + " " + nested.length); // expect race: array, nested
    }

    public static void main(String[] args) {
        InstanceFieldsRaces shared = new InstanceFieldsRaces();
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
