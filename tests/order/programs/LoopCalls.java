package order;

import static order.Turns.inTurn;
import static order.Turns.ordered;
import static order.Turns.races;
import static order.Turns.use;

/** Loops with calls that only work something out: they walk through arrays as those without do (see {@link Walks}). */
final class LoopCalls {
    static void run() {
        races("a loop that compares with a string", () -> {
            char[] a = new char[100];
            String s = new String(new char[40]);
            inTurn(
                    () -> use(common(a, s)),
                    () -> a[39] = 1); // expect race
        });
        races("a loop that comes further than it did before at the same time", () -> {
            char[] a = new char[100];
            String s = new String(new char[40]);
            String t = new String(new char[50]);
            inTurn(
                    () -> {
                        for (int i = 0; i < 3; i++) {
                            use(common(a, s));
                        }
                        use(common(a, t));
                    },
                    () -> a[49] = 1); // expect race
        });
        ordered("what the string is too short for", () -> {
            char[] a = new char[100];
            String s = new String(new char[40]);
            inTurn(() -> use(common(a, s)), () -> a[40] = 1);
        });
        races("a loop that such a call ends by an exception", () -> {
            char[] a = new char[100];
            String s = new String(new char[40]);
            inTurn(
                    () -> {
                        try {
                            for (int i = 0;; i++) {
                                a[i] = (char) (a[i] + 1 - s.charAt(i)); // expect race
                            }
                        } catch (StringIndexOutOfBoundsException expected) {
                            use(s);
                        }
                    },
                    () -> a[40]++, // expect race
                    () -> a[41] = 1);
        });
        ordered("a loop with another call", () -> {
            char[] a = new char[100];
            Character[] boxes = new Character[100];
            inTurn(
                    () -> { for (int i = 0; i < 50; i++) { a[i] = Character.toUpperCase((char) Integer.reverseBytes(i)); } },
                    () -> { for (int i = 50; i < 100; i++) { a[i] = 1; boxes[i] = Character.valueOf(a[i]); } });
        });
    }

    private static int common(char[] a, String s) {
        int n = 0;
        while (n < s.length() && a[n] == s.charAt(n)) { // expect race
            n++;
        }
        return n;
    }
}
