package order;

import static order.Turns.inTurn;
import static order.Turns.ordered;
import static order.Turns.races;
import static order.Turns.use;

/** Every element of an array is a variable of its own (JLS 17.6), whatever its size. */
final class Arrays {
    static void run() {
        elements();
        loops();
        times();
        types();
        ranges();
        helpers();
        views();
        texts();
    }

    private static void elements() {
        ordered("neighbouring elements", () -> {
            int[] a = new int[4];
            inTurn(() -> a[0] = 1, () -> a[1] = 1, () -> use(a[2]), () -> a[3]++);
        });
        races("one element", () -> {
            int[] a = new int[4];
            inTurn(
                    () -> a[1] = 1, // expect race
                    () -> use(a[1])); // expect race
        });
        ordered("one element under a monitor", () -> {
            int[] a = new int[4];
            inTurn(() -> { synchronized (a) { a[1] = 1; } }, () -> { synchronized (a) { a[1]++; } });
        });
        ordered("one element, read by all", () -> {
            int[] a = new int[4];
            inTurn(() -> use(a[1]), () -> use(a[1]));
        });
        races("every element of a big array", () -> {
            int[] a = new int[100_000];
            inTurn(
                    () -> { for (int i = 0; i < a.length; i++) { a[i] = i; } }, // expect race
                    () -> use(a[77_777])); // expect race
        });
        races("elements of a huge array, far from one that was accessed before", () -> {
            byte[] a = new byte[17 << 18];
            inTurn(
                    () -> {
                        for (int i = 0; i < 3; i++) {
                            put(a, 5);
                        }
                        a[(1 << 18) + 5] = 1; // expect race
                        a[(2 << 18) + 5] = 1; // expect race
                        a[(4 << 18) + 5] = 1; // expect race
                        a[(8 << 18) + 5] = 1; // expect race
                        a[(16 << 18) + 5] = 1; // expect race
                    },
                    () -> {
                        use(a[(1 << 18) + 5]); // expect race
                        use(a[(2 << 18) + 5]); // expect race
                        use(a[(4 << 18) + 5]); // expect race
                        use(a[(8 << 18) + 5]); // expect race
                        use(a[(16 << 18) + 5]); // expect race
                    });
        });
        ordered("elements of a huge array, far from each other", () -> {
            byte[] a = new byte[17 << 18];
            inTurn(
                    () -> {
                        for (int i = 0; i < 3; i++) {
                            put(a, 5);
                        }
                    },
                    () -> {
                        put(a, (1 << 18) + 5);
                        put(a, (16 << 18) + 5);
                    });
        });
        ordered("the two halves of a big array", () -> {
            int[] a = new int[100_000];
            inTurn(
                    () -> { for (int i = 0; i < 50_000; i++) { a[i] = i; } },
                    () -> { for (int i = 50_000; i < 100_000; i++) { a[i] = i; } });
        });
        races("the two halves of a big array, and one element too many", () -> {
            int[] a = new int[10_000];
            inTurn(
                    () -> { for (int i = 0; i <= 5_000; i++) { a[i] = i; } }, // expect race
                    () -> { for (int i = 5_000; i < 10_000; i++) { a[i] = i; } }); // expect race
        });
        ordered("odd and even elements", () -> {
            int[] a = new int[100];
            inTurn(
                    () -> { for (int i = 0; i < 100; i += 2) { a[i] = i; } },
                    () -> { for (int i = 1; i < 100; i += 2) { a[i] = i; } });
        });
        ordered("the length is no variable", () -> {
            int[] a = new int[4];
            inTurn(() -> a[0] = 1, () -> use(a.length));
        });
        races("elements of inner arrays", () -> {
            int[][] a = new int[2][2];
            inTurn(
                    () -> a[0][1] = 1, // expect race
                    () -> use(a[0][1])); // expect race
        });
        ordered("rows of two threads", () -> {
            int[][] a = new int[2][2];
            inTurn(() -> a[0][1] = 1, () -> a[1][1] = 1);
        });
        races("a row that is replaced", () -> {
            int[][] a = new int[2][2];
            inTurn(
                    () -> a[0] = new int[2], // expect race
                    () -> use(a[0])); // expect race
        });
    }

    private static void put(byte[] a, int i) {
        a[i] = 1;
    }

    /** What a loop has done is told of later than what a single access has done. */
    private static void loops() {
        ordered("every other element, up and down", () -> {
            int[] a = new int[1_000];
            inTurn(
                    () -> { for (int i = 0; i < 1_000; i += 2) { a[i] = i; } },
                    () -> { for (int i = 999; i >= 0; i -= 2) { a[i] = i; } });
        });
        races("every other element, and the last one", () -> {
            int[] a = new int[1_000];
            inTurn(
                    () -> { for (int i = 0; i < 1_000; i += 2) { a[i] = i; } }, // expect race
                    () -> use(a[998])); // expect race
        });
        ordered("every other element, and one between the last ones", () -> {
            int[] a = new int[1_000];
            inTurn(
                    () -> { for (int i = 0; i < 1_000; i += 2) { a[i] = i; } },
                    () -> use(a[997]));
        });
        races("down to the same element", () -> {
            long[] a = new long[1_000];
            inTurn(
                    () -> { for (int i = 999; i >= 500; i--) { a[i] = i; } }, // expect race
                    () -> { for (int i = 0; i <= 500; i++) { a[i] = i; } }); // expect race
        });
        ordered("down to the next element", () -> {
            long[] a = new long[1_000];
            inTurn(
                    () -> { for (int i = 999; i > 500; i--) { a[i] = i; } },
                    () -> { for (int i = 0; i <= 500; i++) { a[i] = i; } });
        });
        races("thirds, and one element of another third", () -> {
            int[] a = new int[3_000];
            inTurn(
                    () -> { for (int i = 0; i < 3_000; i += 3) { a[i] = i; } }, // expect race
                    () -> { for (int i = 1; i < 3_000; i += 3) { a[i == 1_000 ? 2_997 : i] = i; } }); // expect race
        });
        races("in any order", () -> {
            int[] a = new int[5_000];
            inTurn(
                    () -> { for (int i = 0; i < 5_000; i++) { a[(int) (i * 7_919L % 5_000)]++; } }, // expect race
                    () -> use(a[4_321])); // expect race
        });
        ordered("halves in any order", () -> {
            int[] a = new int[5_000];
            inTurn(
                    () -> { for (int i = 0; i < 2_500; i++) { a[(int) (i * 7_919L % 2_500)]++; } },
                    () -> { for (int i = 0; i < 2_500; i++) { a[2_500 + (int) (i * 7_919L % 2_500)]++; } });
        });
        races("column by column", () -> {
            int[][] a = new int[100][100];
            inTurn(
                    () -> { for (int c = 0; c < 99; c++) { for (int[] row : a) { row[c] = c; } } }, // expect race
                    () -> use(a[77][98])); // expect race
        });
        ordered("column by column, but for the last one", () -> {
            int[][] a = new int[100][100];
            inTurn(
                    () -> { for (int c = 0; c < 99; c++) { for (int[] row : a) { row[c] = c; } } },
                    () -> use(a[77][99]));
        });
        races("one of many arrays", () -> {
            int[][] a = new int[10_000][3];
            inTurn(
                    () -> { for (int[] row : a) { for (int i = 0; i < 3; i++) { row[i] = i; } } }, // expect race
                    () -> use(a[5_000][2])); // expect race
        });
        ordered("elements that do not exist", () -> {
            int[] a = new int[10];
            Turns.Body past = () -> {
                try {
                    for (int i = 0;; i++) {
                        use(a[i]);
                    }
                } catch (ArrayIndexOutOfBoundsException expected) {
                    try {
                        a[12] = 1;
                    } catch (ArrayIndexOutOfBoundsException expectedToo) {
                        use(0);
                    }
                }
            };
            inTurn(past, past);
        });
        races("an element in a loop, after a lock", () -> {
            int[] a = new int[100];
            int[] seen = new int[1];
            inTurn(
                    () -> { for (int i = 0; i < 49; i++) { a[i] = i; } synchronized (a) { seen[0] = 1; } },
                    () -> { synchronized (a) { use(seen[0]); } for (int i = 0; i < 50; i++) { a[i] = i; } }, // expect race
                    () -> { for (int i = 99; i >= 49; i--) { a[i] = i; } }); // expect race
        });
    }

    /** Elements of one array that are accessed at many times. */
    private static void times() {
        ordered("each element at a time of its own, then the whole array under the lock", () -> {
            int[] a = new int[200];
            Turns.Body each = () -> { for (int i = 0; i < 200; i++) { synchronized (a) { a[i * 7 % 200]++; } } };
            inTurn(each, each, () -> { synchronized (a) { for (int i = 0; i < 200; i++) { a[i] = i; } } });
        });
        races("each element at a time of its own, then one without the lock", () -> {
            int[] a = new int[200];
            inTurn(
                    () -> { for (int i = 0; i < 200; i++) { synchronized (a) { a[i * 7 % 200]++; } } }, // expect race
                    () -> { for (int i = 0; i < 200; i++) { synchronized (a) { use(a[i * 7 % 200]); } } },
                    () -> use(a[100])); // expect race
        });
        races("each element read at a time of its own by two, then one written", () -> {
            int[] a = new int[200];
            Turns.Body each = () -> { for (int i = 0; i < 200; i++) { synchronized (a) { use(a[i * 7 % 200]); } } }; // expect race
            inTurn(each, each, () -> a[100] = 1); // expect race
        });
        ordered("each element read at a time of its own by two, then one read", () -> {
            int[] a = new int[200];
            Turns.Body each = () -> { for (int i = 0; i < 200; i++) { synchronized (a) { use(a[i * 7 % 200]); } } };
            inTurn(each, each, () -> use(a[100]));
        });
    }

    private static void types() {
        races("boolean[], byte[], short[], char[]", () -> {
            boolean[] z = new boolean[2];
            byte[] b = new byte[2];
            short[] s = new short[2];
            char[] c = new char[2];
            inTurn(
                    () -> z[1] = true, // expect race
                    () -> use(z[1]), // expect race
                    () -> b[1] = 1, // expect race
                    () -> use(b[1]), // expect race
                    () -> s[1] = 1, // expect race
                    () -> use(s[1]), // expect race
                    () -> c[1] = 1, // expect race
                    () -> use(c[1])); // expect race
        });
        races("long[], float[], double[], references", () -> {
            long[] l = new long[2];
            float[] f = new float[2];
            double[] d = new double[2];
            String[] r = new String[2];
            inTurn(
                    () -> l[1] = 1, // expect race
                    () -> use(l[1]), // expect race
                    () -> f[1] = 1, // expect race
                    () -> use(f[1]), // expect race
                    () -> d[1] = 1, // expect race
                    () -> use(d[1]), // expect race
                    () -> r[1] = "x", // expect race
                    () -> use(r[1])); // expect race
        });
        // No word tearing: neighbours may be written by two threads though they share a word.
        ordered("boolean[] and byte[]: neighbours", () -> {
            boolean[] z = new boolean[2];
            byte[] b = new byte[2];
            inTurn(() -> z[0] = true, () -> z[1] = true, () -> b[0] = 1, () -> b[1] = 1);
        });
        races("a byte[] is no boolean[], though their instructions are the same", () -> {
            byte[] b = new byte[2];
            inTurn(
                    () -> b[0]++, // expect race
                    () -> b[0]++); // expect race
        });
    }

    private static void ranges() {
        races("System.arraycopy: ranges that overlap", () -> {
            int[] a = new int[10];
            int[] source = new int[10];
            inTurn(
                    () -> System.arraycopy(source, 0, a, 2, 4), // expect race
                    () -> a[5] = 1); // expect race
        });
        ordered("System.arraycopy: ranges beside each other", () -> {
            int[] a = new int[10];
            int[] source = new int[10];
            inTurn(() -> System.arraycopy(source, 0, a, 2, 4), () -> a[6] = 1, () -> a[1] = 1);
        });
        races("System.arraycopy reads its source", () -> {
            int[] a = new int[10];
            inTurn(
                    () -> a[3] = 1, // expect race
                    () -> System.arraycopy(a, 0, new int[10], 0, 4)); // expect race
        });
        ordered("System.arraycopy only reads its source", () -> {
            int[] a = new int[10];
            inTurn(() -> System.arraycopy(a, 0, new int[10], 0, 4), () -> System.arraycopy(a, 0, new int[10], 0, 4), () -> use(a[0]));
        });
        races("System.arraycopy of references", () -> {
            Object[] a = new Object[10];
            inTurn(
                    () -> System.arraycopy(new String[] {"x", "y"}, 0, a, 0, 2), // expect race
                    () -> use(a[1])); // expect race
        });
        ordered("System.arraycopy of no elements", () -> {
            int[] a = new int[10];
            inTurn(() -> System.arraycopy(new int[10], 0, a, 2, 0), () -> a[2] = 1);
        });
        races("clone reads every element", () -> {
            int[] a = new int[10];
            inTurn(
                    () -> a[3] = 1, // expect race
                    () -> use(a.clone())); // expect race
        });
        ordered("a clone is an array of its own", () -> {
            int[] a = new int[10];
            int[] b = a.clone();
            inTurn(() -> a[3] = 1, () -> b[3] = 1);
        });
    }

    private static void helpers() {
        races("Arrays.fill", () -> {
            int[] a = new int[10];
            inTurn(
                    () -> java.util.Arrays.fill(a, 1), // expect race
                    () -> use(a[3])); // expect race
        });
        ordered("Arrays.fill of a range beside", () -> {
            int[] a = new int[10];
            inTurn(() -> java.util.Arrays.fill(a, 0, 5, 1), () -> java.util.Arrays.fill(a, 5, 10, 1));
        });
        races("Arrays.fill of ranges that overlap", () -> {
            int[] a = new int[10];
            inTurn(
                    () -> java.util.Arrays.fill(a, 0, 6, 1), // expect race
                    () -> java.util.Arrays.fill(a, 5, 10, 1)); // expect race
        });
        ordered("a range that is not there", () -> {
            int[] a = new int[10];
            inTurn(
                    () -> fails(() -> java.util.Arrays.fill(a, 5, 15, 1)),
                    () -> fails(() -> System.arraycopy(new int[2], 0, a, 0, 9)),
                    () -> a[7] = 1);
        });
        races("Arrays.fill and clone", () -> {
            Object[] a = new String[10];
            inTurn(
                    () -> java.util.Arrays.fill(a, "x"), // expect race
                    () -> use(a.clone())); // expect race
        });
        races("Arrays.equals of ranges", () -> {
            int[] a = new int[10];
            inTurn(
                    () -> a[7] = 1, // expect race
                    () -> use(java.util.Arrays.equals(new int[3], 1, 3, a, 6, 8))); // expect race
        });
        ordered("Arrays.equals of ranges beside", () -> {
            int[] a = new int[10];
            inTurn(() -> a[8] = 1, () -> use(java.util.Arrays.equals(new int[3], 1, 3, a, 6, 8)));
        });
        races("Arrays.copyOf, longer", () -> {
            int[] a = new int[10];
            inTurn(
                    () -> a[9] = 1, // expect race
                    () -> use(java.util.Arrays.copyOf(a, 20))); // expect race
        });
        races("Arrays.copyOf reads", () -> {
            int[] a = new int[10];
            inTurn(
                    () -> a[3] = 1, // expect race
                    () -> use(java.util.Arrays.copyOf(a, 5))); // expect race
        });
        ordered("Arrays.copyOfRange beside", () -> {
            int[] a = new int[10];
            inTurn(() -> a[3] = 1, () -> use(java.util.Arrays.copyOfRange(a, 5, 8)));
        });
        races("Arrays.sort writes", () -> {
            int[] a = new int[10];
            inTurn(
                    () -> use(a[3]), // expect race
                    () -> java.util.Arrays.sort(a)); // expect race
        });
        ordered("Arrays.sort of a range beside", () -> {
            int[] a = new int[10];
            inTurn(() -> a[3] = 1, () -> java.util.Arrays.sort(a, 5, 10));
        });
        races("Arrays.asList is a view", () -> {
            String[] a = {"x", "y"};
            inTurn(
                    () -> java.util.Arrays.asList(a).set(0, "z"), // expect race
                    () -> use(a[0])); // expect race
        });
        ordered("Arrays.equals, hashCode, toString, binarySearch, stream only read", () -> {
            int[] a = new int[10];
            inTurn(
                    () -> use(java.util.Arrays.equals(a, a)),
                    () -> use(java.util.Arrays.hashCode(a)),
                    () -> use(java.util.Arrays.toString(a)),
                    () -> use(java.util.Arrays.binarySearch(a, 1)),
                    () -> use(java.util.Arrays.stream(a).sum()));
        });
        races("Arrays.toString reads", () -> {
            int[] a = new int[10];
            inTurn(
                    () -> a[3] = 1, // expect race
                    () -> use(java.util.Arrays.toString(a))); // expect race
        });
    }

    private static void fails(Runnable call) {
        try {
            call.run();
        } catch (IndexOutOfBoundsException expected) {
            return;
        }
        throw new IllegalStateException("there is such a range");
    }

    private static void views() {
        ordered("Arrays.asList: neighbours, and the size", () -> {
            String[] a = {"x", "y"};
            inTurn(
                    () -> java.util.Arrays.asList(a).set(0, "z"),
                    () -> use(java.util.Arrays.asList(a).get(1)),
                    () -> use(java.util.Arrays.asList(a).size()));
        });
        races("Arrays.asList: two views of one element", () -> {
            String[] a = {"x", "y"};
            inTurn(
                    () -> java.util.Arrays.asList(a).set(1, "z"), // expect race
                    () -> use(java.util.Arrays.asList(a).get(1))); // expect race
        });
        races("Collection.toArray writes the array it is given", () -> {
            String[] a = {"x", "y"};
            java.util.List<String> list = new java.util.ArrayList<>(java.util.List.of("v", "w"));
            inTurn(
                    () -> list.toArray(a), // expect race
                    () -> use(a[1])); // expect race
        });
        ordered("Collection.toArray makes another array if that is too small", () -> {
            String[] a = {"x"};
            java.util.List<String> list = new java.util.ArrayList<>(java.util.List.of("v", "w"));
            inTurn(() -> list.toArray(a), () -> use(a[0]));
        });
        races("a reference to clone", () -> {
            int[] a = new int[10];
            inTurn(
                    () -> a[3] = 1, // expect race
                    () -> {
                        java.util.function.Supplier<int[]> copy = a::clone; // expect race
                        use(copy.get());
                    });
        });
    }

    private static void texts() {
        races("new String reads a range", () -> {
            char[] a = new char[10];
            inTurn(
                    () -> a[3] = 'x', // expect race
                    () -> use(new String(a, 2, 2))); // expect race
        });
        ordered("new String of a range beside", () -> {
            char[] a = new char[10];
            inTurn(() -> a[4] = 'x', () -> use(new String(a, 2, 2)));
        });
        races("String.valueOf reads", () -> {
            char[] a = new char[10];
            inTurn(
                    () -> a[3] = 'x', // expect race
                    () -> use(String.valueOf(a))); // expect race
        });
    }
}
