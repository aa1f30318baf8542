// No race. ERASER knows no hand-over: the marked lines are its false alarms.
/** Subclasses of Thread, start() overridden once and twice: what the starter wrote before is the thread's own afterwards. */
public class ThreadSubclassSafe {
    static class Worker extends Thread {
        int field;

        Worker(int initial) {
            field = initial; // expect race[eraser]: field
        }

        @Override
        public void run() {
            field++; // expect race[eraser]: field
            System.out.println(field); // expect race[eraser]: field
        }
    }

    static class Eager extends Worker {
        Eager() {
            super(10);
        }

        @Override
        public void start() {
            field++; // expect race[eraser]: field
            super.start();
        }
    }

    static class Deeper extends Eager {
        @Override
        public synchronized void start() {
            field += 100; // expect race[eraser]: field
            super.start();
        }
    }

    public static void main(String[] args) {
        for (Worker worker : new Worker[] {new Worker(1), new Eager(), new Deeper()}) {
            worker.start();
            finish(worker);
        }
    }

    /** Unlike join() this is no synchronization (JLS 17.4.5), for whatever detector. */
    static void finish(Thread thread) {
        while (thread.getState() != Thread.State.TERMINATED) {
            Thread.yield();
        }
    }
}
