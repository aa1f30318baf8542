package stalevalue;

/** The examples of "Finding stale-value errors in concurrent programs", with the paper's verdicts. */
public class Examples {
    final Object monitor = new Object();
    int x;
    int n, nextc;
    Object[] arr = new Object[4];
    int[] a = new int[4];

    /** What other threads do. */
    public void others(int value) {
        synchronized (monitor) {
            x = value;
            n = value;
            arr = new Object[value];
            a = new int[value];
        }
    }

    /** The first example is a simple race, which is not looked for. */
    public int first() {
        int t0, t1;
        synchronized (monitor) {
            t0 = x;
        }
        t1 = x;
        return t1;
    }

    /** The second example, in three parts. A snapshot may be used outside of critical sections. */
    public void secondOutside() {
        int t0, t1;
        synchronized (monitor) {
            t0 = x;
        }
        t1 = t0; // expect block-local?; plain block-local?
    }

    /** But not in a later one. */
    public void secondInside() {
        int t0, t2;
        synchronized (monitor) {
            t0 = x;
        }
        synchronized (monitor) {
            t2 = t0; // expect block-local stale-value; plain block-local stale-value
        }
    }

    /** And not after it. */
    public void secondAfter() {
        int t0, t3;
        synchronized (monitor) {
            t0 = x;
        }
        synchronized (monitor) {
            n = 1;
        }
        t3 = t0; // expect block-local? stale-value?; plain block-local? stale-value?
    }

    /** The third example: the array may have been replaced during the wait. */
    public Object consume() throws InterruptedException {
        Object v;
        synchronized (monitor) {
            Object[] a = arr;
            while (n == 0) {
                monitor.wait();
            }
            v = a[nextc]; // expect block-local stale-value; plain block-local stale-value
            nextc = (nextc + 1) % arr.length;
            n = n - 1;
        }
        return v;
    }

    /** The same, right. */
    public Object consumeRight() throws InterruptedException {
        Object v;
        synchronized (monitor) {
            while (n == 0) {
                monitor.wait();
            }
            Object[] a = arr;
            v = a[nextc];
            nextc = (nextc + 1) % a.length;
            n = n - 1;
        }
        return v;
    }

    /** The program of section 5. */
    public int sum() {
        int t;
        synchronized (monitor) {
            t = a.length;
        }
        int s = 0;
        synchronized (monitor) {
            int i = 0;
            while (i < t) { // expect block-local stale-value; plain block-local stale-value
                s = s + a[i];
                i = i + 1;
            }
        }
        return s;
    }

    synchronized int balance() {
        return x;
    }

    synchronized void book(int amount) {
        x = amount;
    }

    /** Section 3: calls of synchronized methods of the same abstraction; what they are given is read inside. */
    public void calls() {
        int t = balance();
        book(t + 1); // expect block-local stale-value; plain block-local stale-value
    }
}
