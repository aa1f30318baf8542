// expect none
/** Private fields reached from inner, outer, static nested and local classes, under one lock. */
public class NestmatesSafe {
    private int secret;
    private static long hidden;

    class Inner {
        private int own;

        void run() {
            synchronized (NestmatesSafe.this) {
                secret++;
                hidden++;
                own++;
            }
        }
    }

    static class Nested {
        private byte small;

        void run(NestmatesSafe outer) {
            synchronized (outer) {
                outer.secret += 2;
                small++;
            }
        }
    }

    public static void main(String[] args) {
        NestmatesSafe outer = new NestmatesSafe();
        Inner inner = outer.new Inner();
        Nested nested = new Nested();
        class Local {
            void run() {
                synchronized (outer) {
                    outer.secret += 4;
                    inner.own += 2;
                    nested.small += 2;
                    hidden += 2;
                    System.out.println(outer.secret + " " + inner.own + " " + nested.small + " " + hidden);
                }
            }
        }
        inTurn(inner::run, () -> nested.run(outer), new Local()::run);
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
