package exposed;

/**
 * For paper 004's restriction to exposed reads: the watchdog looks at the counter and lets nothing out of its section. Method
 * consistency sees a read and an update all the same, unless it is told to count exposed reads only.
 */
public final class Exposed extends Thread {
    static final class Counter {
        int count;

        void next() {
            synchronized (this) {
                if (count < 0) {
                    System.err.println("the counter has run over");
                }
            }
            synchronized (this) {
                count++; // expect method-consistency; unexposed (benign)
            }
        }
    }

    static Counter counter;

    @Override
    public void run() {
        counter.next();
    }

    public static void main(String[] args) throws InterruptedException {
        counter = new Counter();
        Exposed first = new Exposed();
        Exposed second = new Exposed();
        first.start();
        second.start();
        first.join();
        second.join();
    }
}
