// expect none
/** More places that touch one field than the state word has bits: each under the lock. */
public class ManySitesSafe {
    int value;
    int spare;

    synchronized void first() {
        value = 1;
        value = 2;
        value = 3;
        value = 4;
        value = 5;
        value = 6;
        value = 7;
        value = 8;
        value = 9;
        value = 10;
        value = 11;
        value = 12;
        value = 13;
        value = 14;
        value = 15;
        value = 16;
        value = 17;
        value = 18;
        value = 19;
        value = 20;
        value = 21;
        value = 22;
        value = 23;
        value = 24;
        value = 25;
        value = 26;
        value = 27;
        value = 28;
        value = 29;
        value = 30;
        value = 31;
        value = 32;
        value = 33;
        value = 34;
        value = 35;
        value = 36;
        value = 37;
        value = 38;
        value = 39;
        value = 40;
    }

    synchronized void second() {
        value += 1;
        value += 2;
        value += 3;
        value += 4;
        System.out.println(value);
    }

    void own() {
        spare += 1;
        spare += 2;
        spare += 3;
        spare += 4;
        spare += 5;
        spare += 6;
        spare += 7;
        spare += 8;
        spare += 9;
        spare += 10;
        spare += 11;
        spare += 12;
        spare += 13;
        spare += 14;
        spare += 15;
        spare += 16;
        spare += 17;
        spare += 18;
        spare += 19;
        spare += 20;
        spare += 21;
        spare += 22;
        spare += 23;
        spare += 24;
        spare += 25;
        spare += 26;
        spare += 27;
        spare += 28;
        spare += 29;
        spare += 30;
        spare += 31;
        spare += 32;
        spare += 33;
        spare += 34;
        spare += 35;
        spare += 36;
        spare += 37;
        spare += 38;
        spare += 39;
        spare += 40;
        System.out.println(spare);
    }

    public static void main(String[] args) {
        ManySitesSafe o = new ManySitesSafe();
        inTurn(o::first, o::second, o::own);
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
