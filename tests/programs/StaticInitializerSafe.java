// expect none
/** Statics set by an initialiser in the starter and then read by all; an initialiser that runs inside one thread. */
public class StaticInitializerSafe {
    static class Config {
        static int level = 3;
        static String name;
        static final long TOTAL;

        static {
            name = "config";
            TOTAL = level * 5L;
        }
    }

    static class Lazy {
        static int value = 1;

        static {
            value += 2;
        }
    }

    /** Initialised by the first thread that needs it; the second sees what the initialiser did (JLS 12.4.2). */
    static class Late {
        static int setting;

        static {
            setting = 7;
            setting++;
        }
    }

    public static void main(String[] args) {
        Runnable late = () -> System.out.println(Late.setting);
        inTurn(late, late);
        System.out.println(Config.name + Config.level);
        Runnable reader = () -> System.out.println(Config.name + Config.level + Config.TOTAL);
        inTurn(reader, reader, () -> System.out.println(Lazy.value++));
    }

    /** One thread per task, each after the end of the one before, without anything that orders them. */
    static void inTurn(Runnable... tasks) {
        for (Runnable task : tasks) {
            Thread thread = new Thread(task);
            thread.start();
            finish(thread);
        }
    }

    /** Unlike join() this is no synchronization (JLS 17.4.5), for whatever detector. */
    static void finish(Thread thread) {
        while (thread.getState() != Thread.State.TERMINATED) {
            Thread.yield();
        }
    }
}
