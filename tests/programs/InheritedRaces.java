/** Fields of a superclass through subclasses: by simple name, super., a variable of either type, statics by any name. */
public class InheritedRaces {
    static class Base {
        int field;
        long wide;
        static int global;
    }

    static class Middle extends Base {
    }

    static class Derived extends Middle {
        void bySimpleName() {
            field++; // expect race: field
            wide++; // expect race: wide
            global++; // expect race: global
        }

        void bySuper() {
            super.field += 2; // expect race: field
            super.wide += 2; // expect race: wide
        }
    }

    public static void main(String[] args) {
        Derived o = new Derived();
        Base same = o;
        inTurn(o::bySimpleName, o::bySuper, () -> {
            same.field += 4; // expect race: field
            o.wide += 4; // expect race: wide
            Derived.global += 4; // expect race: global
            Middle.global += 8; // expect race: global
            Base.global += 16; // expect race: global
            System.out.println(same.field + " " + o.wide + " " + Base.global); // expect race
        });
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
