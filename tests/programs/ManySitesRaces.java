/** More places that touch one field than the state word has bits: the 32nd and later have no bit of their own in the state word. */
public class ManySitesRaces {
    int value;
    int spare;

    void first() {
        value = 1; // expect race: value
        value = 2; // expect race: value
        value = 3; // expect race: value
        value = 4; // expect race: value
        value = 5; // expect race: value
        value = 6; // expect race: value
        value = 7; // expect race: value
        value = 8; // expect race: value
        value = 9; // expect race: value
        value = 10; // expect race: value
        value = 11; // expect race: value
        value = 12; // expect race: value
        value = 13; // expect race: value
        value = 14; // expect race: value
        value = 15; // expect race: value
        value = 16; // expect race: value
        value = 17; // expect race: value
        value = 18; // expect race: value
        value = 19; // expect race: value
        value = 20; // expect race: value
        value = 21; // expect race: value
        value = 22; // expect race: value
        value = 23; // expect race: value
        value = 24; // expect race: value
        value = 25; // expect race: value
        value = 26; // expect race: value
        value = 27; // expect race: value
        value = 28; // expect race: value
        value = 29; // expect race: value
        value = 30; // expect race: value
        value = 31; // expect race: value
        value = 32; // expect race: value
        value = 33; // expect race: value
        value = 34; // expect race: value
        value = 35; // expect race: value
        value = 36; // expect race: value
        value = 37; // expect race: value
        value = 38; // expect race: value
        value = 39; // expect race: value
        value = 40; // expect race: value
    }

    void second() {
        value += 1; // expect race: value
        value += 2; // expect race: value
        value += 3; // expect race: value
        value += 4; // expect race: value
        System.out.println(value); // expect race: value
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
        ManySitesRaces o = new ManySitesRaces();
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
