package rules;

import java.io.Externalizable;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.Serializable;

/** Deserialization makes objects, as constructors do: what it sets has not changed under anybody's hands. */
public class Deserialized {
    public static class External implements Externalizable {
        private int size;
        private int copy;

        @Override
        public void readExternal(ObjectInput in) throws IOException {
            size = in.readInt();
        }

        @Override
        public void writeExternal(ObjectOutput out) throws IOException {
            out.writeInt(size);
        }

        public void copy() {
            int value;
            synchronized (this) {
                value = size;
            }
            synchronized (this) {
                copy = value; // plain block-local stale-value; without written block-local stale-value
            }
        }
    }

    public static class Stream implements Serializable {
        private int size;
        private int copy;

        private void readObject(ObjectInputStream in) throws IOException {
            size = in.readInt();
        }

        public void copy() {
            int value;
            synchronized (this) {
                value = size;
            }
            synchronized (this) {
                copy = value; // plain block-local stale-value; without written block-local stale-value
            }
        }
    }

    /** The same by a method that anybody may call. */
    public static class Restored {
        private int size;
        private int copy;

        public synchronized void restore(ObjectInput in) throws IOException {
            size = in.readInt();
        }

        public void copy() {
            int value;
            synchronized (this) {
                value = size;
            }
            synchronized (this) {
                copy = value; // expect block-local stale-value; plain block-local stale-value; without written block-local stale-value
            }
        }
    }
}
