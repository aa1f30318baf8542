package rules;

/** Private methods begin with the locks that all their callers hold. */
public class EntryLocks {
    private int count;

    public synchronized void set(int value) {
        count = value;
    }

    public void locked() {
        synchronized (this) {
            always();
            sometimes();
        }
    }

    public synchronized void lockedToo() {
        always();
    }

    public void unlocked() {
        sometimes();
    }

    /** The lock is only taken again: it is never given back in between. */
    private void always() {
        int value;
        synchronized (this) {
            value = count;
        }
        synchronized (this) {
            count = value + 1;
        }
    }

    private void sometimes() {
        int value;
        synchronized (this) {
            value = count;
        }
        synchronized (this) {
            count = value + 2; // expect block-local stale-value; plain block-local stale-value
        }
    }
}
