import java.util.concurrent.locks.ReentrantLock;

// No race. ERASER knows no hand-over: the marked lines are its false alarms.
/** Many virtual threads with locks, held while they change their carrier; and one to which an object is handed over. */
public class VirtualThreadSafe {
    private final ReentrantLock lock = new ReentrantLock();
    private int underLock;
    private int underMonitor;
    private int handedOver;

    void touch() {
        lock.lock();
        try {
            underLock++;
            Thread.yield();
            underLock++;
        } finally {
            lock.unlock();
        }
        synchronized (this) {
            underMonitor++;
            Thread.yield();
            underMonitor++;
        }
    }

    void own() {
        handedOver++; // expect race[eraser]: handedOver
        Thread.yield();
        handedOver++; // expect race[eraser]: handedOver
        System.out.println(handedOver); // expect race[eraser]: handedOver
    }

    public static void main(String[] args) throws InterruptedException {
        VirtualThreadSafe o = new VirtualThreadSafe();
        o.handedOver = 5; // expect race[eraser]: handedOver
        Thread owner = Thread.ofVirtual().unstarted(o::own);
        owner.start();
        finish(owner);
        Thread[] threads = new Thread[500];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = Thread.ofVirtual().unstarted(o::touch);
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        o.lock.lock();
        System.out.println(o.underLock);
        o.lock.unlock();
        synchronized (o) {
            System.out.println(o.underMonitor);
        }
    }

    /** Unlike join() this is no synchronization (JLS 17.4.5), for whatever detector. */
    static void finish(Thread thread) {
        while (thread.getState() != Thread.State.TERMINATED) {
            Thread.yield();
        }
    }
}
