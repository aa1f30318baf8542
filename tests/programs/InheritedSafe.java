// expect none
/** The same lock for a field, by whatever type it is reached. */
public class InheritedSafe {
    static class Base {
        int field;
        long wide;
        static int global;
    }

    static class Middle extends Base {
    }

    static class Derived extends Middle {
        void bySimpleName() {
            synchronized (Base.class) {
                field++;
                wide++;
                global++;
            }
        }

        void bySuper() {
            synchronized (Base.class) {
                super.field += 2;
                super.wide += 2;
            }
        }
    }

    public static void main(String[] args) {
        Derived o = new Derived();
        Base same = o;
        inTurn(o::bySimpleName, o::bySuper, () -> {
            synchronized (Base.class) {
                same.field += 4;
                o.wide += 4;
                Derived.global += 4;
                Middle.global += 8;
                Base.global += 16;
                System.out.println(same.field + " " + o.wide + " " + Base.global);
            }
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
