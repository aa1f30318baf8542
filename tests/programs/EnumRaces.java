/** Enum constants are shared by everybody: a mutable field in one is a global variable. */
public class EnumRaces {
    enum Level {
        LOW(1),
        HIGH(10) {
            @Override
            void use() {
                uses += 2; // expect race: uses
            }
        };

        int uses;
        static int all;
        final int weight;

        Level(int weight) {
            this.weight = weight;
        }

        void use() {
            uses++; // expect race: uses
            all += weight; // expect race: all
        }
    }

    public static void main(String[] args) {
        Level.values();
        Runnable task = () -> {
            for (Level level : Level.values()) {
                level.use();
            }
        };
        inTurn(task, task);
        System.out.println(Level.valueOf("LOW").weight);
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
