// expect none
/** Volatile fields and final fields are never reported, nor the elements of a final array. */
public class FinalVolatileSafe {
    volatile int flag;
    static volatile long global;
    volatile String text = "";
    final int constant;
    final int[] array = new int[1];
    static final StringBuilder BUILDER = new StringBuilder();

    FinalVolatileSafe(int constant) {
        this.constant = constant;
    }

    void touch() {
        flag++;
        global += constant;
        text = text + "x";
        array[0]++;
        BUILDER.append(array[0]);
        System.out.println(flag + " " + global + text + BUILDER);
    }

    public static void main(String[] args) {
        FinalVolatileSafe o = new FinalVolatileSafe(5);
        inTurn(o::touch, o::touch);
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
