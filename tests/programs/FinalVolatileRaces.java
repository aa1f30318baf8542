/** The twin of FinalVolatileSafe with plain fields. */
public class FinalVolatileRaces {
    int plain;
    static long global;
    int[] array = new int[1]; // expect race[eraser]: array

    void touch() {
        plain++; // expect race: plain
        global++; // expect race: global
        array = new int[] {array[0] + 1}; // expect race: array
    }

    public static void main(String[] args) {
        FinalVolatileRaces o = new FinalVolatileRaces();
        inTurn(o::touch, o::touch);
        System.out.println("done");
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
