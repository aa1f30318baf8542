package app;

import lib.Box;

/**
 * Two threads that nobody orders write to a static field, a field of their own class and a field of a library
 * class; a fourth is guarded. What is reported does not depend on the schedule.
 */
public class Racy {
    static int total;
    static int guarded;
    int own;

    public static void main(String[] args) throws Exception {
        Racy racy = new Racy();
        Box box = new Box();
        Runnable work = () -> racy.work(box);
        Thread a = new Thread(work, "a");
        Thread b = new Thread(work, "b");
        a.start();
        b.start();
        a.join();
        b.join();
        synchronized (Racy.class) {
            System.out.println("guarded " + guarded + ", box from " + Box.origin());
        }
    }

    private void work(Box box) {
        total = 1;
        own = 2;
        box.put(3);
        synchronized (Racy.class) {
            guarded++;
        }
    }
}
