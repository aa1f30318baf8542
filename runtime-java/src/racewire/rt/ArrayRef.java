package racewire.rt;

import java.lang.ref.ReferenceQueue;
import java.lang.reflect.Array;

/** An array of the program, weakly, with what was done to its elements. */
final class ArrayRef extends IdentityRef {
    private static final int SPAN_BITS = 10;

    final int length;
    /** Filled as elements are accessed, under this object. */
    private final Span[] spans;

    ArrayRef(Object array, int hash, ReferenceQueue<Object> dead) {
        super(array, hash, dead);
        length = Array.getLength(array);
        spans = new Span[(length >>> SPAN_BITS) + 1];
    }

    /** Whether the current thread, whose stamp this is, has made this access at this moment. */
    boolean knows(int index, boolean write, long stamp) {
        if (index < 0 || index >= length) {
            // Left to the access to complain about.
            return true;
        }
        Span span = spans[index >>> SPAN_BITS];
        return span != null && span.knows(index, write, stamp);
    }

    /** Elements {@code from} to {@code to} (exclusive) are accessed, as far as there are such. */
    void access(ThreadState me, int from, int to, boolean write, int site) {
        long stamp = me.stampNow();
        me.met.begin();
        int end = Math.min(to, length);
        for (int a = Math.max(from, 0); a < end;) {
            int next = Math.min(end, (a >>> SPAN_BITS) + 1 << SPAN_BITS);
            span(a).access(me, a, next, write, stamp, site);
            a = next;
        }
    }

    private synchronized Span span(int index) {
        int at = index >>> SPAN_BITS;
        if (spans[at] == null) {
            Span made = new Span(at << SPAN_BITS, Math.min(length, at + 1 << SPAN_BITS));
            // Whoever finds it without the lock finds it whole.
            Mem.M.storeFence();
            spans[at] = made;
        }
        return spans[at];
    }
}
