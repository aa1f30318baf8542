package text;

/**
 * 002's "StringBuffer" (from Flanagan and Qadeer): append asks another buffer for its length and then copies so many
 * characters out of it; that one may have become shorter meanwhile. Holding the lock of `this` does not help.
 */
public final class Text {
    static final class Builder {
        private char[] value = new char[64];
        private int count;

        synchronized int length() {
            return count;
        }

        synchronized void getChars(int from, int to, char[] target, int at) {
            if (to > count) {
                throw new IndexOutOfBoundsException();
            }
            System.arraycopy(value, from, target, at, to - from);
        }

        synchronized void setLength(int length) {
            count = length;
        }

        synchronized void append(Builder other) {
            int length = other.length();
            if (count + length > value.length) {
                return;
            }
            other.getChars(0, length, value, count); // violation; expect block-local causal method-consistency; unexposed; run stale
            count += length;
        }
    }

    public static void main(String[] args) throws InterruptedException {
        Builder target = new Builder();
        Builder source = new Builder();
        source.setLength(3);
        Thread appends = new Thread(() -> {
            try {
                target.append(source);
            } catch (IndexOutOfBoundsException shorter) {
                // The fault, when the threads meet.
            }
        });
        Thread shortens = new Thread(() -> source.setLength(0));
        appends.start();
        shortens.start();
        appends.join();
        shortens.join();
    }
}
