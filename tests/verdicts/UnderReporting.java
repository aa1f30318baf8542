package underreporting;

/**
 * Paper 004, program 3 (002's "UnderReporting"): the counter is to be doubled, in two steps. There is only one lock view,
 * so method consistency has nothing to compare: it misses this, as its authors say. The flow of the value shows it.
 */
public final class UnderReporting extends Thread {
    static final class Counter {
        int count;

        synchronized int inc(int by) {
            count += by;
            return count;
        }
    }

    static Counter counter;

    @Override
    public void run() {
        int now = counter.inc(0);
        counter.inc(now); // violation; expect block-local stale-value causal; run stale
    }

    public static void main(String[] args) throws InterruptedException {
        counter = new Counter();
        counter.inc(1);
        UnderReporting first = new UnderReporting();
        UnderReporting second = new UnderReporting();
        first.start();
        second.start();
        first.join();
        second.join();
    }
}
