package views;

/**
 * High-level races, in pairs: a case that is one, and a case beside it that is none. Two threads each; the other one's
 * section is executed for certain, at whatever time. Marks stand where the two halves are touched.
 */
public final class Pairs {
    static final class Pair {
        int x;
        int y;
        int z;
    }

    interface Step {
        void run(Pair pair);
    }

    /** One of two threads, with nothing between them but locks. */
    private static void together(Step one, Step other) throws InterruptedException {
        Pair pair = new Pair();
        Thread first = new Thread(() -> one.run(pair), "one");
        Thread second = new Thread(() -> other.run(pair), "other");
        first.start();
        second.start();
        first.join();
        second.join();
    }

    private static int used;

    private static void use(int value) {
        used += value;
    }

    private static void writeBoth(Pair pair) {
        synchronized (pair) {
            pair.x = 1;
            pair.y = 1;
        }
    }

    private static void readBoth(Pair pair) {
        int sum;
        synchronized (pair) {
            sum = pair.x + pair.y;
        }
        if (sum > 50) {
            throw new IllegalStateException();
        }
    }

    private static void tornReads(Pair pair) {
        int sum = 0;
        synchronized (pair) {
            sum += pair.x; // expect torn
        }
        synchronized (pair) {
            sum += pair.y; // expect torn
        }
        if (sum > 50) {
            throw new IllegalStateException();
        }
    }

    private static void tornWrites(Pair pair) {
        synchronized (pair) {
            pair.x = 2; // expect torn
        }
        synchronized (pair) {
            pair.y = 2; // expect torn
        }
    }

    private static synchronized void setX(Pair pair) {
        pair.x = 3; // expect torn
    }

    private static synchronized void setY(Pair pair) {
        pair.y = 3; // expect torn
    }

    private static synchronized void readBothOfAll(Pair pair) {
        use(pair.x + pair.y);
    }

    /** One of the two alone is always the same thing. */
    private static void readX(Pair pair) {
        synchronized (pair) {
            use0(pair.x);
        }
        synchronized (pair) {
            use0(pair.x + pair.y);
        }
    }

    private static void use0(int value) {
        if (value > 50) {
            throw new IllegalStateException();
        }
    }

    private static void readThreeOneByOne(Pair pair) {
        synchronized (pair) {
            use0(pair.x);
        }
        synchronized (pair) {
            use0(pair.z);
        }
    }

    /** Reads what it changes. */
    private static void countApart(Pair pair) {
        synchronized (pair) {
            pair.x++; // expect torn
        }
        synchronized (pair) {
            pair.y++; // expect torn
        }
    }

    private static void countTogether(Pair pair) {
        synchronized (pair) {
            pair.x++;
            pair.y++;
        }
    }

    /** Fast in the second round: what is seen in it must not be less for that. */
    private static void roundsTorn(Pair pair) {
        for (int round = 0; round < 3; round++) {
            synchronized (pair) {
                use0(pair.x); // expect torn
                use0(pair.x);
            }
            synchronized (pair) {
                use0(pair.y); // expect torn
            }
        }
    }

    /** In the last round only, long after the other sections have come to be known. */
    private static void roundsTornAtLast(Pair pair) {
        for (int round = 0; round < 100; round++) {
            synchronized (pair) {
                use0(pair.x + pair.y);
            }
        }
        synchronized (pair) {
            use0(pair.x); // expect torn
        }
        synchronized (pair) {
            use0(pair.y); // expect torn
        }
    }

    private static void writeBothOften(Pair pair) {
        for (int round = 0; round < 100; round++) {
            writeBoth(pair);
        }
    }

    /** The lock is taken again: it is one section. */
    private static void again(Pair pair) {
        synchronized (pair) {
            synchronized (pair) {
                use0(pair.x);
            }
            synchronized (pair) {
                use0(pair.y);
            }
        }
    }

    /** Given back by wait(): two sections. */
    private static void withWait(Pair pair) {
        synchronized (pair) {
            use0(pair.x); // expect torn
            try {
                pair.wait(1);
            } catch (InterruptedException stopped) {
                throw new IllegalStateException(stopped);
            }
            use0(pair.y); // expect torn
        }
    }

    private static void ofTwoObjects(Pair pair) {
        Pair other = new Pair();
        synchronized (pair) {
            use0(pair.x);
        }
        synchronized (other) {
            use0(other.y);
        }
        kept = other;
    }

    private static volatile Pair kept;

    public static void main(String[] args) throws InterruptedException {
        together(Pairs::writeBoth, Pairs::tornReads);
        together(Pairs::writeBoth, Pairs::readBoth);
        together(Pairs::readBoth, Pairs::tornWrites);
        together(pair -> { setX(pair); setY(pair); }, Pairs::readBothOfAll);
        together(Pairs::writeBoth, Pairs::readX);
        together(Pairs::writeBoth, Pairs::readThreeOneByOne);
        together(Pairs::writeBoth, Pairs::again);
        together(Pairs::writeBoth, Pairs::withWait);
        together(Pairs::writeBoth, Pairs::ofTwoObjects);
        together(Pairs::writeBoth, Pairs::countApart);
        together(Pairs::writeBoth, Pairs::countTogether);
        together(Pairs::writeBothOften, Pairs::roundsTorn);
        together(Pairs::writeBothOften, Pairs::roundsTornAtLast);
        startedAfterwards();
        joinedBefore();
        writtenAgain();
        writtenForTheLastTime();
    }

    /** Before the other thread is there, and while it is. */
    private static void writtenAgain() throws InterruptedException {
        Pair pair = new Pair();
        writeBoth(pair);
        Thread reader = new Thread(() -> readMeanwhile(pair));
        reader.start();
        writeBoth(pair);
        reader.join();
    }

    /** Before the other thread is there, and when it has gone. */
    private static void writtenForTheLastTime() throws InterruptedException {
        Pair pair = new Pair();
        writeBoth(pair);
        Thread reader = new Thread(() -> readAlone(pair));
        reader.start();
        reader.join();
        writeBoth(pair);
    }

    private static void readMeanwhile(Pair pair) {
        synchronized (pair) {
            use0(pair.x); // expect torn
        }
        synchronized (pair) {
            use0(pair.y); // expect torn
        }
    }

    private static void readAlone(Pair pair) {
        synchronized (pair) {
            use0(pair.x);
        }
        synchronized (pair) {
            use0(pair.y);
        }
    }

    /** The other thread is not there yet. */
    private static void startedAfterwards() throws InterruptedException {
        Pair pair = new Pair();
        synchronized (pair) {
            pair.x = 4;
        }
        synchronized (pair) {
            pair.y = 4;
        }
        Thread reader = new Thread(() -> readBoth(pair));
        reader.start();
        reader.join();
    }

    /** The other thread has gone. */
    private static void joinedBefore() throws InterruptedException {
        Pair pair = new Pair();
        Thread reader = new Thread(() -> readBoth(pair));
        reader.start();
        reader.join();
        synchronized (pair) {
            pair.x = 4;
        }
        synchronized (pair) {
            pair.y = 4;
        }
    }
}
