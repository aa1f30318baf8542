package racewire.rt;

import java.lang.ref.WeakReference;

/**
 * What is known of the writes of a variable that a followed flow has read. It hangs beside the variable, and flows hold it:
 * they must not keep the variable's owner. Plain fields, changed under the program's own locks; a program without them
 * has data races, and of its writes some may go unnoticed.
 */
public final class StaleVariable extends WeakReference<Object> {
    /** Goes up with every write. */
    int version;
    /** Who wrote last, where, and as of which version nobody else has. */
    int writer = -1;
    String place;
    String[] stack;
    int since;
    /** The same for who wrote before. */
    int earlierWriter = -1;
    String earlierPlace;
    String[] earlierStack;

    /** Its number in the trace, or 0. */
    long traced;

    /** {@code owner} is null for a static field. */
    StaleVariable(Object owner) {
        super(owner);
    }

    void write(int thread, String at, String[] from) {
        version++;
        if (writer != thread) {
            earlierWriter = writer;
            earlierPlace = place;
            earlierStack = stack;
            since = version;
            writer = thread;
        }
        place = at;
        stack = from;
    }

    /** Somebody else than {@code thread} has written since {@code known}. */
    boolean isStale(int thread, int known) {
        // Its own writes do not make what it read old, but there may be others' before them.
        return version != known && (writer != thread || since - known > 1);
    }
}
