/** Statics under a lock are still shared; a synchronized method of an object that stays in main shares nothing. */
public class SynchronizedStatics {
    static int locked;
    static int inBlock;
    int unlocked;

    static synchronized void step() {
        locked++; // shared: locked
    }

    static void block() {
        synchronized (SynchronizedStatics.class) {
            inBlock += 2; // shared: inBlock
        }
    }

    synchronized void alone() {
        unlocked++; // local: unlocked
    }

    public static void main(String[] args) throws Exception {
        Thread thread = new Thread(() -> {
            step();
            block();
        });
        thread.start();
        step();
        block();
        thread.join();
        System.out.println(locked + inBlock); // shared: locked, inBlock
        SynchronizedStatics local = new SynchronizedStatics();
        local.alone();
        synchronized (local) {
            System.out.println(local.unlocked); // local: unlocked
        }
    }
}
