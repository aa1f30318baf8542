/** Virtual threads are threads: unordered among each other, however they are started. */
public class VirtualThreadRaces {
    int value;
    static int global;

    void touch() {
        value++; // expect race: value
        global++; // expect race: global
    }

    void afterLock() {
        synchronized (this) {
            Thread.yield();
        }
        touch();
    }

    public static void main(String[] args) {
        VirtualThreadRaces o = new VirtualThreadRaces();
        finish(Thread.startVirtualThread(o::touch));
        finish(Thread.ofVirtual().start(o::afterLock));
        Thread last = Thread.ofVirtual().unstarted(o::touch);
        last.start();
        finish(last);
        System.out.println("done");
    }

    /** Unlike join() this is no synchronization (JLS 17.4.5), for whatever detector. */
    static void finish(Thread thread) {
        while (thread.getState() != Thread.State.TERMINATED) {
            Thread.yield();
        }
    }
}
