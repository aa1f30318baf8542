package rules;

/** Deserialization could write the field, but no code does: it is never stale. */
public class Written implements java.io.Serializable {
    public int size;
    public int copy;
    final transient Object lock = new Object();

    public Written(int size) {
        this.size = size;
    }

    public void copy() {
        int value;
        synchronized (lock) {
            value = size;
        }
        synchronized (lock) {
            copy = value; // without written block-local stale-value; plain block-local stale-value
        }
    }
}
