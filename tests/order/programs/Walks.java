package order;

import static order.Turns.check;
import static order.Turns.inTurn;
import static order.Turns.ordered;
import static order.Turns.races;
import static order.Turns.use;

/**
 * Loops that come to one element after the other and are told of when they are left, whichever way: exactly those
 * elements that they came to.
 */
final class Walks {
    static void run() {
        ends();
        exceptions();
        steps();
        nests();
        places();
        edges();
        others();
    }

    private static void ends() {
        races("the last round", () -> {
            int[] a = new int[100];
            inTurn(
                    () -> { for (int i = 0; i < 70; i++) { a[i] = i; } }, // expect race
                    () -> a[69] = 1); // expect race
        });
        ordered("the round that did not come", () -> {
            int[] a = new int[100];
            inTurn(() -> { for (int i = 0; i < 70; i++) { a[i] = i; } }, () -> a[70] = 1);
        });
        ordered("no round", () -> {
            int[] a = new int[100];
            inTurn(() -> { for (int i = 70; i < 70; i++) { a[i] = i; } }, () -> a[70] = 1, () -> a[69] = 1);
        });
        races("a round that a break ends", () -> {
            int[] a = filled(100);
            inTurn(
                    () -> { for (int i = 0; i < 100; i++) { if (a[i] == 40) { break; } } }, // expect race
                    () -> a[40] = 1); // expect race
        });
        ordered("a round after a break", () -> {
            int[] a = filled(100);
            inTurn(() -> { for (int i = 0; i < 100; i++) { if (a[i] == 40) { break; } } }, () -> a[41] = 1);
        });
        ordered("an access behind a break", () -> {
            int[] a = new int[100];
            inTurn(() -> { for (int i = 0; i < 100; i++) { if (i == 40) { break; } a[i] = 1; } }, () -> a[40] = 1);
        });
        races("a loop that returns", () -> {
            int[] a = filled(100);
            inTurn(
                    () -> use(find(a, 30)),
                    () -> a[30] = 1); // expect race
        });
        ordered("a loop that returned", () -> {
            int[] b = filled(100);
            inTurn(() -> use(find(b, 30)), () -> b[31] = 1);
        });
        ordered("rounds that a continue cuts short", () -> {
            int[] a = new int[100];
            inTurn(
                    () -> { for (int i = 0; i < 100; i++) { if (i % 3 != 0) { continue; } a[i] = i; } },
                    () -> { for (int i = 0; i < 100; i++) { if (i % 3 == 0) { continue; } a[i] = i; } });
        });
        races("an access before a continue", () -> {
            int[] a = new int[100];
            inTurn(
                    () -> { for (int i = 0; i < 100; i++) { a[i] = i; if (i % 3 == 0) { continue; } use0(); } }, // expect race
                    () -> a[98]++); // expect race
        });
        races("a loop that counts further than it should", () -> {
            int[] a = new int[100];
            inTurn(
                    () -> { for (int i = 0; i < 50; i++) { if (i == 20) { i = 30; } a[i] = i; } }, // expect race
                    () -> a[30] = 1); // expect race
        });
        ordered("what a loop skips by counting twice", () -> {
            int[] a = new int[100];
            inTurn(
                    () -> { for (int i = 0; i < 50; i++) { if (i == 20) { i++; } a[i] = i; } },
                    () -> a[20] = 1);
        });
    }

    private static int[] filled(int length) {
        int[] a = new int[length];
        for (int i = 0; i < length; i++) {
            a[i] = i;
        }
        return a;
    }

    private static int find(int[] a, int value) {
        for (int i = 0;; i++) {
            if (a[i] == value) { // expect race
                return i;
            }
        }
    }

    private static void use0() { }

    private static void exceptions() {
        races("before the end of the array", () -> {
            int[] a = new int[50];
            inTurn(
                    () -> expect(() -> { for (int i = 0; i < 60; i++) { a[i] = i; } }), // expect race
                    () -> a[49] = 1); // expect race
        });
        ordered("before the beginning of the array", () -> {
            int[] a = new int[50];
            inTurn(() -> expect(() -> { for (int i = -1; i < 60; i++) { a[i] = i; } }), () -> a[0] = 1);
        });
        races("below the beginning of the array", () -> {
            int[] a = new int[50];
            inTurn(
                    () -> expect(() -> { for (int i = 10;; i--) { a[i] = i; } }), // expect race
                    () -> a[0] = 1, // expect race
                    () -> a[11] = 1);
        });
        races("an exception after the access", () -> {
            int[] a = new int[50];
            int[] b = new int[20];
            inTurn(
                    () -> expect(() -> { for (int i = 0; i < 50; i++) { a[i] = i; b[i] = i; } }), // expect race
                    () -> a[20] = 1); // expect race
        });
        ordered("an exception before the access", () -> {
            int[] a = new int[50];
            int[] b = new int[20];
            inTurn(() -> expect(() -> { for (int i = 0; i < 50; i++) { b[i] = i; a[i] = i; } }), () -> a[20] = 1);
        });
        ordered("an exception in the first round", () -> {
            int[] a = new int[50];
            int[] b = null;
            inTurn(() -> expect(() -> { for (int i = 0; i < 50; i++) { b[i] = i; a[i] = i; } }), () -> a[0] = 1);
        });
        races("an exception that the method catches", () -> {
            int[] a = new int[50];
            inTurn(
                    () -> divide(a, 30),
                    () -> a[30] = 1); // expect race
        });
        ordered("an exception that the method caught", () -> {
            int[] b = new int[50];
            inTurn(() -> divide(b, 30), () -> b[31] = 1);
        });
        races("an exception under a monitor", () -> {
            int[] a = new int[50];
            inTurn(
                    () -> expect(() -> { synchronized (a) { for (int i = 0;; i++) { a[i] = i; } } }), // expect race
                    () -> a[49] = 1); // expect race
        });
        ordered("an exception under the same monitor", () -> {
            int[] a = new int[50];
            inTurn(
                    () -> expect(() -> { synchronized (a) { for (int i = 0;; i++) { a[i] = i; } } }),
                    () -> { synchronized (a) { a[49] = 1; } });
        });
        ordered("exceptions in synchronized methods", () -> {
            Locked locked = new Locked();
            inTurn(() -> expect(() -> locked.fill(60)), () -> expect(() -> locked.fill(60)), locked::other);
        });
        ordered("loops in synchronized methods", () -> {
            Locked locked = new Locked();
            inTurn(() -> locked.fill(50), () -> locked.fill(50), () -> use(locked.sum()));
        });
        races("loops in synchronized methods and without", () -> {
            Open open = new Open();
            inTurn(() -> expect(() -> open.fill(60)), open::other);
        });
    }

    private static void divide(int[] a, int zero) {
        int sum = 0;
        try {
            for (int i = 0; i < a.length; i++) {
                sum += a[i]; // expect race
                sum /= zero - i;
            }
        } catch (ArithmeticException expected) {
            use(sum);
        }
    }

    private static void expect(Runnable failing) {
        try {
            failing.run();
            check(false);
        } catch (ArrayIndexOutOfBoundsException | NullPointerException expected) {
            use0();
        }
    }

    private static final class Locked {
        final int[] a = new int[50];

        synchronized void fill(int end) {
            for (int i = 0; i < end; i++) {
                a[i] = end;
            }
        }

        synchronized int sum() {
            int sum = 0;
            for (int value : a) {
                sum += value;
            }
            return sum;
        }

        synchronized void other() {
            a[49] = 1;
        }
    }

    private static final class Open {
        final int[] a = new int[50];

        synchronized void fill(int end) {
            for (int i = 0; i < end; i++) {
                a[i] = end; // expect race
            }
        }

        void other() {
            a[49] = 1; // expect race
        }
    }

    private static void steps() {
        races("the element after the counter", () -> {
            int[] a = new int[100];
            inTurn(
                    () -> { for (int i = 0; i < 50; i++) { a[i + 1] = i; } }, // expect race
                    () -> a[0] = 1,
                    () -> a[50] = 1); // expect race
        });
        races("the element before the counter", () -> {
            int[] a = new int[100];
            inTurn(
                    () -> { for (int i = 10; i < 50; i++) { a[i - 1] = i; } }, // expect race
                    () -> a[49] = 1,
                    () -> a[9] = 1); // expect race
        });
        ordered("odd and even elements by halves of the counter", () -> {
            int[] a = new int[100];
            inTurn(
                    () -> { for (int i = 0; i < 50; i++) { a[2 * i] = i; } },
                    () -> { for (int i = 0; i < 50; i++) { a[i * 2 + 1] = i; } });
        });
        races("the last of the odd elements", () -> {
            int[] a = new int[100];
            inTurn(
                    () -> { for (int i = 0; i < 50; i++) { a[2 * i + 1] = i; } }, // expect race
                    () -> { for (int i = 98; i >= 0; i -= 2) { a[i] = i; } },
                    () -> a[99] = 1); // expect race
        });
        ordered("thirds", () -> {
            long[] a = new long[300];
            inTurn(
                    () -> { for (int i = 0; i < 300; i += 3) { a[i] = i; } },
                    () -> { for (int i = 298; i > 0; i -= 3) { a[i] = i; } },
                    () -> { for (int i = 0; i < 100; i++) { a[3 * i + 2] = i; } });
        });
        races("from the end, by the distance to it", () -> {
            int[] a = new int[100];
            inTurn(
                    () -> { for (int i = 0; i < 50; i++) { a[99 - i] = i; } }, // expect race
                    () -> a[49] = 1,
                    () -> a[50] = 1); // expect race
        });
        ordered("a row of a matrix in one array", () -> {
            double[] a = new double[100];
            inTurn(() -> row(a, 3, 10), () -> row(a, 4, 10), () -> a[50] = 1, () -> a[29] = 1);
        });
        races("counters that go on in the index", () -> {
            int[] a = new int[100];
            inTurn(
                    () -> { int i = 0; while (i < 50) { a[i++] = 1; } }, // expect race
                    () -> { int i = 99; while (i > 50) { a[i--] = 1; } },
                    () -> { int i = 48; while (i < 49) { a[++i] = 1; } }); // expect race
        });
        ordered("counters that went on before", () -> {
            int[] a = new int[100];
            inTurn(
                    () -> { int i = 0; while (i < 50) { a[++i] = 1; } },
                    () -> a[0] = 1,
                    () -> { int i = 100; while (i > 51) { a[--i] = 1; } });
        });
        ordered("ever the same element, or never", () -> {
            int[] a = new int[100];
            inTurn(() -> never(a, 7), () -> a[7] = 1);
        });
        races("ever the same element, in one round", () -> {
            int[] a = new int[100];
            inTurn(
                    () -> { for (int i = 0; i < 9; i++) { if (i == 5) { a[7] = i; } } }, // expect race
                    () -> a[7] = 1); // expect race
        });
        races("two counters", () -> {
            int[] a = new int[100];
            inTurn(
                    () -> { for (int i = 0, k = 99; i < 20; i++, k--) { a[i] = a[k]; } }, // expect race
                    () -> a[79] = 1,
                    () -> a[20] = 1,
                    () -> a[80] = 1); // expect race
        });
    }

    private static void row(double[] a, int row, int columns) {
        for (int i = 0; i < columns; i++) {
            a[row * columns + i] = i;
        }
    }

    private static void never(int[] a, int k) {
        for (int i = 0; i < 9; i++) {
            if (i > 9) {
                a[k] = 1;
            }
        }
    }

    private static void nests() {
        races("rows of a triangle", () -> {
            int[][] a = new int[50][50];
            inTurn(
                    () -> { for (int i = 0; i < 50; i++) { int[] r = a[i]; for (int k = 0; k <= i; k++) { r[k] = i; } } }, // expect race
                    () -> a[30][31] = 1,
                    () -> a[30][30] = 1); // expect race
        });
        ordered("both halves of a square", () -> {
            int[][] a = new int[50][50];
            inTurn(
                    () -> { for (int i = 0; i < 50; i++) { int[] r = a[i]; for (int k = 0; k <= i; k++) { r[k] = i; } } },
                    () -> { for (int i = 0; i < 50; i++) { int[] r = a[i]; for (int k = 49; k > i; k--) { r[k] = i; } } });
        });
        races("out of two loops at once", () -> {
            int[][] a = new int[50][50];
            inTurn(
                    () -> { // a loop with a name
                        all:
                        for (int[] r : a) {
                            for (int k = 0; k < 50; k++) {
                                r[k] = 1; // expect race
                                if (r == a[20] && k == 20) {
                                    break all;
                                }
                            }
                        }
                    },
                    () -> a[20][21] = 1,
                    () -> a[20][20] = 1); // expect race
        });
        ordered("one loop after the other", () -> {
            int[] a = new int[100];
            inTurn(() -> use(split(a, 50)), () -> a[51] = 1, () -> a[49] = 1);
        });
        ordered("a loop that another loop leads to", () -> {
            int[] a = new int[100];
            inTurn(
                    () -> {
                        for (int n = 0; n < 3; n++) {
                            int i = 10 * n;
                            while (i < 10 * n + 5) {
                                a[i++] = n;
                            }
                            while (i > 50) {
                                a[--i] = n;
                            }
                        }
                    },
                    () -> { for (int i = 5; i < 10; i++) { a[i] = a[i + 10] = a[i + 20] = 1; } });
        });
    }

    /** Comes to the element in the middle only, from both sides. */
    private static int split(int[] a, int middle) {
        int i = middle;
        while (a[i] > 0) {
            i++;
        }
        while (a[i] < 0) {
            i--;
        }
        return i;
    }

    private static final class Made {
        final long[] a;

        Made(long[] a, int end) {
            this.a = a;
            for (int i = 0; i < end; i++) {
                this.a[i] = i; // expect race
            }
        }
    }

    private static int shared(int[] a, int[] b, boolean first) {
        int sum = 0;
        if (first) {
            for (int i = 0; i < 30; i++) {
                sum += a[i]; // expect race
            }
        } else {
            for (int i = 0; i < 40; i++) {
                sum += b[i]; // expect race
            }
        }
        return sum;
    }

    private static void places() {
        races("in a constructor", () -> {
            long[] a = new long[50];
            inTurn(
                    () -> use((int) new Made(a, 30).a[0]),
                    () -> a[30] = 1,
                    () -> a[29] = 1); // expect race
        });
        races("two loops with one way out", () -> {
            int[] a = new int[50];
            int[] b = new int[50];
            inTurn(
                    () -> use(shared(a, b, true) + shared(a, b, false)),
                    () -> a[30] = 1,
                    () -> b[40] = 1,
                    () -> a[29] = 1, // expect race
                    () -> b[39] = 1); // expect race
        });
        races("elements of all types", () -> {
            byte[] b = new byte[20];
            char[] c = new char[20];
            short[] s = new short[20];
            float[] f = new float[20];
            double[] d = new double[20];
            boolean[] z = new boolean[20];
            Object[] o = new Object[20];
            inTurn(
                    () -> {
                        for (int i = 0; i < 10; i++) {
                            b[i]++; // expect race
                            c[i] = 'c'; // expect race
                            s[i] = (short) i; // expect race
                            f[i] += i; // expect race
                            d[i] = f[i]; // expect race
                            z[i] = true; // expect race
                            o[i] = o; // expect race
                        }
                    },
                    () -> { b[10] = 1; c[10] = 1; s[10] = 1; f[10] = 1; d[10] = 1; z[10] = true; o[10] = b; },
                    () -> { b[9] = 1; c[9] = 1; s[9] = 1; f[9] = 1; d[9] = 1; z[9] = true; o[9] = b; }); // expect race
        });
        races("a value that other code has to find first", () -> {
            int[] a = new int[100];
            inTurn(
                    () -> { for (int i = 0; i < 50; i++) { a[i] = i > 20 ? i : -i; } }, // expect race
                    () -> a[50] = 1,
                    () -> a[49] = 1); // expect race
        });
        ordered("an array that changes on the way", () -> {
            int[] a = new int[100];
            int[] b = new int[100];
            inTurn(() -> change(a, b), () -> a[50] = 1, () -> b[49] = 1);
        });
    }

    private static void change(int[] a, int[] b) {
        int[] here = a;
        for (int i = 0; i < 100; i++) {
            here[i] = 1;
            if (i == 49) {
                here = b;
            }
        }
    }

    private static final class Flagged {
        final int[] a = new int[50];
        volatile boolean flag;
        int plain;

        void fillThenSet() {
            for (int i = 0; i < 50; i++) {
                a[i] = i;
            }
            flag = true;
        }

        void takeThenFill() {
            check(flag);
            for (int i = 0; i < 50; i++) {
                a[i] = i;
            }
        }

        void setEachRound() {
            for (int i = 0; i < 50; i++) {
                a[i] = i;
                flag = i > 5;
            }
            a[7] = 1; // expect race
        }

        void countThrough() {
            for (int i = 0; i < 50; i++) {
                plain += a[i];
            }
        }
    }

    private static void edges() {
        ordered("a volatile field right behind a loop", () -> {
            Flagged f = new Flagged();
            inTurn(f::fillThenSet, f::takeThenFill);
        });
        races("a volatile field in a loop", () -> {
            Flagged f = new Flagged();
            inTurn(
                    f::setEachRound,
                    () -> { check(f.flag); f.a[8] = 1; f.a[7] = 2; }); // expect race
        });
        ordered("a monitor right behind a loop", () -> {
            int[] a = new int[50];
            inTurn(
                    () -> { synchronized (a) { for (int i = 0; i < 50; i++) { a[i] = i; } } },
                    () -> { synchronized (a) { for (int i = 49; i >= 0; i--) { a[i]++; } } });
        });
        ordered("fields beside elements", () -> {
            Flagged f = new Flagged();
            inTurn(
                    () -> { synchronized (f) { f.countThrough(); } },
                    () -> { synchronized (f) { f.countThrough(); } });
        });
    }

    private static void others() {
        races("a thread that ends in a loop", () -> {
            int[] a = new int[50];
            Thread t = new Thread(() -> { for (int i = 0;; i++) { a[i] = i; } }); // expect race
            t.setUncaughtExceptionHandler((thread, expected) -> use0());
            inTurn(
                    t::start,
                    () -> { await(t); a[49] = 1; }); // expect race
        });
        ordered("a thread that ended in a loop and is joined", () -> {
            int[] a = new int[50];
            Thread t = new Thread(new Runnable() {
                @Override
                public void run() {
                    for (int i = 0;; i++) {
                        a[i] = i;
                    }
                }
            });
            t.setUncaughtExceptionHandler((thread, expected) -> use0());
            inTurn(t::start, () -> { join(t); a[49] = 1; });
        });
    }

    private static void await(Thread t) {
        invisible.Stage.ended(t);
    }

    private static void join(Thread t) {
        try {
            t.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
