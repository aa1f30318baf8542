package local;

/** 002's "Local" (Artho, Havelund and Biere): a shared counter goes through a local variable between two sections. */
public final class Local extends Thread {
    static final class Shared {
        int value;
    }

    static final Shared SHARED = new Shared();

    @Override
    public void run() {
        int copy;
        synchronized (SHARED) {
            copy = SHARED.value;
        }
        copy++;
        synchronized (SHARED) {
            SHARED.value = copy; // violation; expect block-local stale-value causal method-consistency; run stale
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Local first = new Local();
        Local second = new Local();
        first.start();
        second.start();
        first.join();
        second.join();
    }
}
