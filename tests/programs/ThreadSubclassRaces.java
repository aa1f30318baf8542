/** Subclasses of Thread: what the starter touches after start(), or after the super.start() of an override, is not handed over. */
public class ThreadSubclassRaces {
    static class Worker extends Thread {
        int before;
        int after;

        @Override
        public void run() {
            before++; // expect race[eraser]: before
            after++; // expect race: after
        }
    }

    static class Eager extends Worker {
        @Override
        public void start() {
            before = 1; // expect race[eraser]: before
            super.start();
            after = 1; // expect race: after
        }
    }

    static class Deeper extends Eager {
        @Override
        public void start() {
            super.start();
        }
    }

    public static void main(String[] args) {
        for (Worker worker : new Worker[] {new Worker(), new Eager(), new Deeper()}) {
            worker.before = 1; // expect race[eraser]: before
            worker.start();
            worker.after = 2; // expect race: after
            finish(worker);
        }
        System.out.println("done");
    }

    /** Unlike join() this is no synchronization (JLS 17.4.5), for whatever detector. */
    static void finish(Thread thread) {
        while (thread.getState() != Thread.State.TERMINATED) {
            Thread.yield();
        }
    }
}
