import java.lang.ref.Cleaner;

/** A Cleaner runs its action, which keeps an object of main, in its own thread. */
public class Cleaners {
    static class State implements Runnable {
        volatile boolean ran;
        int cleaned;

        @Override
        public void run() {
            cleaned++; // shared: cleaned
            ran = true;
        }
    }

    static class Dropped implements Runnable {
        int tally;

        @Override
        public void run() {
            tally++; // local: tally
        }
    }

    static void register(Cleaner cleaner, State state) {
        cleaner.register(new Object(), state);
    }

    public static void main(String[] args) throws Exception {
        State state = new State();
        state.cleaned = 1; // shared: cleaned
        register(Cleaner.create(), state);
        for (int i = 0; i < 1000 && !state.ran; i++) {
            System.gc();
            Thread.sleep(1);
        }
        // An action that never is registered.
        Dropped dropped = new Dropped();
        dropped.run();
        System.out.println(state.cleaned + dropped.tally); // shared: cleaned; local: tally
    }
}
