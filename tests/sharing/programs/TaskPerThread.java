/** Figure 1 of the paper: tasks of one class with a static they share and a field per task that they do not. */
public class TaskPerThread {
    static class Task implements Runnable {
        static int shared;
        static int protectedByLock;
        int not_shared;

        @Override
        public void run() {
            shared++; // shared: shared
            synchronized (Task.class) {
                protectedByLock++; // shared: protectedByLock
            }
            not_shared++; // local: not_shared
            Temporary own = new Temporary();
            own.temporary = not_shared; // local: temporary, not_shared
        }
    }

    static class Temporary {
        int temporary;
    }

    public static void main(String[] args) throws Exception {
        Thread one = new Thread(new Task());
        Thread two = new Thread(new Task());
        one.start();
        two.start();
        one.join();
        two.join();
        System.out.println("done");
    }
}
