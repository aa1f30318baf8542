// expect none
/** A constructor writes its own object, which nobody else has; what it shares it reaches under the caller's lock. */
public class ConstructorSafe {
    static class Shared {
        int beforeSuper;
        static int created;
    }

    static class Base {
        int number;
        long wide = 7;

        Base(int number) {
            this.number = number;
        }
    }

    static class Derived extends Base {
        int own = 5;
        String name;
        double ratio = 0.5;

        {
            own += 2;
            Shared.created++;
        }

        Derived(Shared shared) {
            super(shared.beforeSuper++);
            own += number;
            wide++;
            name = "n" + own;
        }

        Derived(Shared shared, int twice) {
            this(shared);
            own *= twice;
        }
    }

    public static void main(String[] args) {
        Shared shared = new Shared();
        Runnable task = () -> {
            Derived derived;
            synchronized (shared) {
                derived = new Derived(shared, 2);
            }
            derived.own++;
            System.out.println(derived.own + derived.name + derived.wide + derived.ratio);
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
