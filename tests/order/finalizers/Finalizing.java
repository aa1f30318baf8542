package order;

import invisible.Stage;

/** JLS 17.4.5: the end of a constructor is before the finaliser of its object, and nothing else is. */
@SuppressWarnings({"deprecation", "removal"})
public final class Finalizing {
    static final class Made {
        final Stage s;
        int v;

        Made(Stage s) {
            this.s = s;
            v = 1;
        }

        @Override
        protected void finalize() {
            v++;
            s.reach(1);
        }
    }

    static final class WrittenLater {
        final Stage s;
        int v;

        WrittenLater(Stage s) {
            this.s = s;
        }

        void write() {
            v = 1; // expect race
        }

        @Override
        protected void finalize() {
            v++; // expect race
            s.reach(1);
        }
    }

    private static void inThread(Runnable body, Stage s) {
        Thread thread = new Thread(body);
        thread.start();
        Stage.ended(thread);
        System.gc();
        s.await(1);
    }

    public static void main(String[] args) {
        Stage made = new Stage();
        inThread(() -> new Made(made), made);
        Stage later = new Stage();
        inThread(() -> new WrittenLater(later).write(), later);
    }
}
