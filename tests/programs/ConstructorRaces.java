/** Accesses inside constructors: before super(), after it, in instance initialisers, on other objects and statics. */
public class ConstructorRaces {
    static class Shared {
        int beforeSuper;
        int afterSuper;
        static int created;
        static int initialised;
    }

    static class Base {
        final int number;

        Base(int number) {
            this.number = number;
        }
    }

    static class Derived extends Base {
        int own = 5;
        final int snapshot = Shared.initialised++; // expect race: initialised

        {
            own += 2;
            Shared.initialised++; // expect race: initialised
        }

        Derived(Shared shared) {
            super(shared.beforeSuper++); // expect race: beforeSuper
            shared.afterSuper++; // expect race: afterSuper
            own++;
        }

        Derived() {
            this(Shared.created++ == 0 ? new Shared() : new Shared()); // expect race: created
        }
    }

    public static void main(String[] args) {
        Shared shared = new Shared();
        Runnable task = () -> {
            System.out.println(new Derived(shared).own);
            System.out.println(new Derived().own);
        };
        inTurn(task, task);
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
