/** wait() gives the lock back before it returns; what happens after the block is unprotected again. */
public class WaitNotifyRaces {
    final Object lock = new Object();
    boolean asked;
    boolean answered;
    int after;

    void ask() throws InterruptedException {
        synchronized (lock) {
            asked = true;
            lock.notifyAll();
            while (!answered) {
                lock.wait();
            }
        }
        after++; // expect race: after
    }

    void answer() throws InterruptedException {
        synchronized (lock) {
            while (!asked) {
                lock.wait(1000);
            }
            answered = true;
            lock.notify();
        }
        after++; // expect race: after
    }

    public static void main(String[] args) throws InterruptedException {
        WaitNotifyRaces o = new WaitNotifyRaces();
        Thread other = new Thread(() -> {
            try {
                o.answer();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        other.start();
        o.ask();
        other.join();
        System.out.println("done");
    }
}
