/**
 * Classes that are first used when next to no stack is left, each a little earlier than the one before, and then by two
 * threads. To be run with -Xint, where every frame takes the same room.
 */
public final class LastBreath {
    // Here the test puts classes and FRESH, an object of each, which adds to a field when it is run.

    private static void down(int left, Runnable last) {
        if (left == 0) {
            last.run();
        } else {
            down(left - 1, last);
        }
    }

    /** Whether there is stack enough for so many calls and this one. */
    private static boolean fits(int calls, Runnable last) throws InterruptedException {
        boolean[] fits = {true};
        Thread deep = new Thread(() -> {
            try {
                down(calls, last);
            } catch (StackOverflowError e) {
                fits[0] = false;
            }
        });
        deep.start();
        deep.join();
        return fits[0];
    }

    public static void main(String[] args) throws Exception {
        int most = 1;
        int tooMany = 1 << 20;
        while (most + 1 < tooMany) {
            int middle = (most + tooMany) / 2;
            if (fits(middle, () -> { })) {
                most = middle;
            } else {
                tooMany = middle;
            }
        }
        int overflows = 0;
        for (int i = 0; i < FRESH.length; i++) {
            overflows += fits(most - 2 * i, FRESH[i]) ? 0 : 1;
        }
        for (Runnable fresh : FRESH) {
            Thread one = new Thread(fresh);
            Thread other = new Thread(fresh);
            one.start();
            other.start();
            one.join();
            other.join();
        }
        Runnable end = () -> System.out.println("end");
        System.out.println(overflows > 0 ? "stack overflows" : "enough stack");
        end.run();
    }
}
