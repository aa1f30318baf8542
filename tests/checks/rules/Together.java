package rules;

/** Variables that are read at one place and used at one place are one mistake. */
public class Together {
    private int x;
    private int y;
    private int sum;

    public synchronized void move(int x, int y) {
        this.x = x;
        this.y = y;
    }

    public void both() {
        int seen;
        synchronized (this) {
            seen = x + y;
        }
        synchronized (this) {
            sum = seen; // expect block-local stale-value; plain block-local stale-value; merged rules.Together.x rules.Together.y
        }
    }

    /** Read at different places, they are two. */
    public void apart() {
        int seen;
        synchronized (this) {
            seen = x;
            seen += y;
        }
        synchronized (this) {
            sum = seen; // expect block-local stale-value; plain block-local stale-value; merged rules.Together.x; merged rules.Together.y
        }
    }
}
