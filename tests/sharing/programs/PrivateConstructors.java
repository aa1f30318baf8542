import java.lang.reflect.Constructor;

/** A private constructor that nobody calls but by reflection, with an object that another thread has; and one by its class. */
public class PrivateConstructors {
    static class Counter {
        int counted;
    }

    static class Tally {
        int told;
    }

    static class Hidden {
        private Hidden(Counter counter) {
            counter.counted++; // shared: counted
        }
    }

    /** Only its own class calls it. */
    static class Open {
        private Open(Tally tally) {
            tally.told++; // local: told
        }

        static Open of(Tally tally) {
            return new Open(tally);
        }
    }

    public static void main(String[] args) throws Exception {
        Counter counter = new Counter();
        Constructor<?> constructor = Hidden.class.getDeclaredConstructor(Counter.class);
        constructor.setAccessible(true);
        Thread thread = new Thread(() -> counter.counted++); // shared: counted
        thread.start();
        constructor.newInstance(counter);
        thread.join();
        Tally tally = new Tally();
        Open.of(tally);
        System.out.println(counter.counted > 0); // shared: counted
        System.out.println(tally.told); // local: told
    }
}
