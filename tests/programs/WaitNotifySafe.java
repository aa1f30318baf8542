// expect none
/** wait(), wait(long), wait(long, int) inside (nested) synchronized blocks: the lock is held again afterwards. */
public class WaitNotifySafe {
    int turn;
    int sum;

    synchronized void take(int mine) throws InterruptedException {
        synchronized (this) {
            while (turn % 3 != mine) {
                switch (mine) {
                    case 0 -> wait();
                    case 1 -> wait(500);
                    default -> wait(500, 1);
                }
                sum += 0;
            }
        }
        turn++;
        sum += mine;
        notifyAll();
    }

    public static void main(String[] args) throws InterruptedException {
        WaitNotifySafe o = new WaitNotifySafe();
        Thread[] threads = new Thread[3];
        for (int t = 2; t >= 0; t--) {
            int mine = t;
            threads[t] = new Thread(() -> {
                try {
                    for (int i = 0; i < 20; i++) {
                        o.take(mine);
                    }
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
            threads[t].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        synchronized (o) {
            System.out.println(o.turn + " " + o.sum);
        }
    }
}
