/** Private fields reached from inner, outer, static nested and local classes. */
public class NestmatesRaces {
    private int secret;
    private static long hidden;

    class Inner {
        private int own;

        void run() {
            secret++; // expect race: secret
            hidden++; // expect race: hidden
            own++; // expect race: own
        }
    }

    static class Nested {
        private byte small;

        void run(NestmatesRaces outer) {
            outer.secret += 2; // expect race: secret
            small++; // expect race: small
        }
    }

    public static void main(String[] args) {
        NestmatesRaces outer = new NestmatesRaces();
        Inner inner = outer.new Inner();
        Nested nested = new Nested();
        class Local {
            void run() {
                outer.secret += 4; // expect race: secret
                inner.own += 2; // expect race: own
                nested.small += 2; // expect race: small
                hidden += 2; // expect race: hidden
                System.out.println(outer.secret + " " + inner.own + " " + nested.small + " " + hidden); // expect race
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
