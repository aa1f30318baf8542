/** A subclass of Thread: its fields, and inherited ones, are used by it and by its creator. */
public class ThreadSubclass {
    static class Base extends Thread {
        int inherited;
    }

    static class Worker extends Base {
        int result;
        int perThread;

        Worker(String name) {
            setName(name);
        }

        @Override
        public void run() {
            perThread++; // local: perThread
            perThread += getName().length(); // local: perThread
            inherited++; // shared: inherited
            result++; // shared: result
        }
    }

    /** A thread that is never started, only used as an object. */
    static class Idle extends Thread {
        int never;
    }

    public static void main(String[] args) throws Exception {
        Worker worker = new Worker("worker");
        worker.inherited = 1; // shared: inherited
        worker.start();
        worker.join();
        Idle idle = new Idle();
        idle.never = worker.result + worker.inherited; // shared: result, inherited; local: never
        System.out.println(idle.never); // local: never
    }
}
