package rules;

/** What is looked at only by an {@code assert} decides nothing: programs run without. */
public class Asserted {
    private int count;
    private int total;

    public synchronized void add(int more) {
        count += more;
    }

    public void onlyAsserted() {
        int seen;
        synchronized (this) {
            seen = count;
        }
        synchronized (this) {
            assert seen >= 0;
            total++; // plain block-local stale-value; without assertions block-local stale-value
        }
    }

    public void assertedAndUsed() {
        int seen;
        synchronized (this) {
            seen = count;
        }
        synchronized (this) {
            assert seen >= 0 : "counted down: " + seen;
            total = seen; // expect block-local stale-value; plain block-local stale-value
        }
    }

    /** No assertion of the language: it always runs. */
    public void alwaysChecked() {
        int seen;
        synchronized (this) {
            seen = count;
        }
        synchronized (this) {
            if (seen < 0) {
                throw new AssertionError();
            }
            total++; // expect block-local stale-value; plain block-local stale-value
        }
    }
}
