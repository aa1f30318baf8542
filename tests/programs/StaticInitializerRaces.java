/** Statics set by an initialiser that ran in the starter are handed over once; then two threads share them. */
public class StaticInitializerRaces {
    static class Config {
        static int level = 3;
        static String name;
        static long total;

        static {
            name = "config";
            for (int i = 0; i < 5; i++) {
                total += level;
            }
        }

        static int size() {
            return 6;
        }

        static void touch() {
            level++; // expect race: level
            name += level; // expect race: level, name
            total--; // expect race: total
        }
    }

    public static void main(String[] args) {
        System.out.println(Config.size());
        inTurn(Config::touch, Config::touch);
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
