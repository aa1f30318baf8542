package rules;

/** The same where the value is read by a call, for the detectors that compare critical sections. */
public class AssertedCalls {
    private int count;

    public synchronized int count() {
        return count;
    }

    public synchronized void add(int more) {
        count += more;
    }

    public void onlyAsserted() {
        assert count() >= 0;
        add(1); // plain causal; without assertions causal
    }

    public void assertedAndUsed() {
        int seen = count();
        assert seen >= 0;
        add(-seen); // expect causal; plain causal
    }
}
