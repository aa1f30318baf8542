package section5;

/** The same paper, the program of its section 5: the length of an array that may have been replaced when it is walked through. */
public final class Section5 extends Thread {
    static final Object MONITOR = new Object();
    static int[] a = new int[4];

    static int sum() {
        int t;
        synchronized (MONITOR) {
            t = a.length;
        }
        int s = 0;
        synchronized (MONITOR) {
            int i = 0;
            while (i < t) { // violation; run stale
                s = s + a[i];
                i = i + 1;
            }
        }
        return s;
    }

    @Override
    public void run() {
        for (int size = 5; size < 8; size++) {
            synchronized (MONITOR) {
                a = new int[size];
            }
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Section5 other = new Section5();
        other.start();
        sum();
        other.join();
    }
}
