package order;

import invisible.Stage;

/**
 * Daemons that are in a loop over an array when the JVM ends. Such a loop tells what it did where it is left: the end
 * waits for that.
 */
public final class InLoops {
    /** Long enough for main to end meanwhile, and short enough for a loaded machine. */
    private static final int MANY = 2_000_000;

    private static void fill(int[] a) {
        for (int i = 0; i < a.length; i++) {
            a[i] = (int) Math.sin(i); // expect race
        }
    }

    private static void fillOwn(int[] a) {
        for (int i = 0; i < a.length; i++) {
            a[i] = (int) Math.sin(i);
        }
    }

    private static void begin(Runnable body, String method) {
        Thread thread = new Thread(body);
        thread.setDaemon(true);
        thread.start();
        Stage.runs(thread, method);
    }

    public static void main(String[] args) {
        int[] racing = new int[MANY];
        int[] own = new int[MANY];
        int[] other = new int[1];
        begin(() -> fillOwn(own), "fillOwn");
        begin(() -> fill(racing), "fill");
        racing[MANY - 1] = 1; // expect race
        other[0] = 1;
    }
}
