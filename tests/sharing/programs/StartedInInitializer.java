/** A static initialiser starts a thread; that thread may not touch the class before the initialiser ends. */
public class StartedInInitializer {
    static class Holder {
        static int value;
    }

    static class Starter {
        static final Thread THREAD = new Thread(() -> {
            Holder.value++; // shared: value
            Data.fromClinit++; // shared: fromClinit
        });

        static {
            Data.fromClinit = 4; // shared: fromClinit
            THREAD.start();
        }

        static void touch() {
        }
    }

    static class Data {
        static int fromClinit;
    }

    static int mainOnly;

    static {
        mainOnly = 2; // local: mainOnly
    }

    public static void main(String[] args) throws Exception {
        Holder.value = 1; // shared: value
        Starter.touch();
        Starter.THREAD.join();
        mainOnly++; // local: mainOnly
        System.out.println(Holder.value + Data.fromClinit + mainOnly); // shared: value, fromClinit; local: mainOnly
    }
}
