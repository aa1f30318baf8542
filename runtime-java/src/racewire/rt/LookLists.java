package racewire.rt;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Lists of looks, by number. Numbers that nobody needs any more are used again, with their arrays: ever other lists make no
 * garbage, and storing a number costs no barrier of the garbage collector.
 */
final class LookLists {
    /** Of the empty list. */
    static final int EMPTY = 0;
    /** More than there are records, so that there is always a free one. */
    static final int MAX = 1 << 12;

    private static final int FIRST = 16;

    private long[][] lists = new long[FIRST][];
    private int[] counts = new int[FIRST];
    private BitSet used = new BitSet();
    private int next = 1;

    boolean isFull() {
        return next >= lists.length;
    }

    /** No other numbers are needed any more. */
    void keep(BitSet numbers) {
        used = numbers;
        used.set(EMPTY);
        if (used.cardinality() > lists.length / 2 && lists.length < MAX) {
            lists = Arrays.copyOf(lists, lists.length * 2);
            counts = Arrays.copyOf(counts, lists.length);
        }
        next = used.nextClearBit(0);
    }

    /** What the thread has looked at under the locks that it holds. */
    int add(ThreadState me) {
        int count = 0;
        for (int at = me.depth; at > 0; at--) {
            count += me.levels[at].lookedCount;
        }
        int number = next;
        if (lists[number] == null || lists[number].length < count) {
            lists[number] = new long[Math.max(count, 4)];
        }
        counts[number] = count;
        for (int at = me.depth; at > 0; at--) {
            HeldLock h = me.levels[at];
            count -= h.lookedCount;
            System.arraycopy(h.looked, 0, lists[number], count, h.lookedCount);
        }
        next = used.nextClearBit(number + 1);
        return number;
    }

    /** Whether something of the list was overwritten before the thread of this clock came, whatever the schedule. */
    boolean isShut(int number, Clock later) {
        long[] list = lists[number];
        // Who reads while it is changed reads again.
        for (int i = Math.min(counts[number], list == null ? 0 : list.length) - 1; i >= 0; i--) {
            if (Doors.isClosed(list[i], later)) {
                return true;
            }
        }
        return false;
    }
}
