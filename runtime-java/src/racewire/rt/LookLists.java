package racewire.rt;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Lists of looks, by number. While no lock is given back a thread's next list only has more in it, so it goes on from the one
 * before: with some 20 looks in a list, as Lucene and Tomcat have, that is a tenth of what whole lists take. All lie in arrays that are written over:
 * ever other lists make no garbage, and storing a number costs no barrier of the garbage collector.
 */
final class LookLists {
    /** Of the empty list. */
    static final int EMPTY = 0;

    private static final int FIRST = 16;
    private static final int LOOKS = 4;

    /** By number: the list that it goes on from, whose number is smaller. */
    private int[] before = new int[FIRST];
    /** By number: where its own looks end; they begin where those of the number before end. */
    private int[] ends = new int[FIRST];
    private long[] looks = new long[LOOKS * FIRST];
    private int last = EMPTY;
    /** How many looks the last list has, with those of the lists that it goes on from; none goes on from it if that is 0. */
    private int inLast;

    /** Whether there may be no room for what the thread has looked at. */
    boolean isFull(ThreadState me) {
        int most = 0;
        for (int at = me.depth; at > 0; at--) {
            most += me.levels[at].lookedCount;
        }
        return last + 1 == ends.length || most > looks.length - ends[last];
    }

    /** No other numbers are needed any more, but by these; the new number of each. */
    int[] keep(BitSet used) {
        for (int n = last; n > EMPTY; n--) {
            if (used.get(n)) {
                used.set(before[n]);
            }
        }
        int[] numbers = new int[ends.length];
        int kept = EMPTY;
        int from = 0;
        for (int n = EMPTY + 1; n <= last; n++) {
            int end = ends[n];
            if (used.get(n)) {
                System.arraycopy(looks, from, looks, ends[kept], end - from);
                int begin = ends[kept++];
                numbers[n] = kept;
                before[kept] = numbers[before[n]];
                ends[kept] = begin + end - from;
            }
            from = end;
        }
        last = kept;
        inLast = 0;
        if (kept > ends.length / 2) {
            before = Arrays.copyOf(before, before.length * 2);
            ends = Arrays.copyOf(ends, ends.length * 2);
        }
        // At least some for each number: it takes time to come here.
        int room = Math.max(2 * ends[kept], LOOKS * ends.length);
        if (room > looks.length) {
            looks = Arrays.copyOf(looks, room);
        }
        return numbers;
    }

    /** What the thread has looked at under the locks that it holds. */
    int add(ThreadState me) {
        int listed = 0;
        for (int at = me.depth; at > 0; at--) {
            listed += me.levels[at].listed;
        }
        // Otherwise a lock was given back since then, or another thread has made it.
        boolean goesOn = listed == inLast;
        int number = last + 1;
        before[number] = goesOn && listed > 0 ? last : EMPTY;
        int end = ends[last];
        int begin = end;
        for (int at = 1; at <= me.depth; at++) {
            HeldLock h = me.levels[at];
            int from = goesOn ? h.listed : 0;
            int count = h.lookedCount - from;
            if (count > looks.length - end) {
                looks = Arrays.copyOf(looks, Math.max(looks.length * 2, end + count));
            }
            System.arraycopy(h.looked, from, looks, end, count);
            end += count;
            h.listed = h.lookedCount;
        }
        ends[number] = end;
        inLast = (goesOn ? listed : 0) + end - begin;
        last = number;
        return number;
    }

    /** Whether something of the list was overwritten before the thread of this clock came, whatever the schedule. */
    boolean isShut(int number, Clock later) {
        // Who reads while it is changed reads again, and must only come to an end.
        int[] ends = this.ends;
        int[] before = this.before;
        long[] looks = this.looks;
        for (int n = number; n > EMPTY && n < Math.min(ends.length, before.length); n = Math.min(before[n], n - 1)) {
            for (int i = Math.min(ends[n], looks.length) - 1; i >= ends[n - 1]; i--) {
                if (Doors.isClosed(looks[i], later)) {
                    return true;
                }
            }
        }
        return false;
    }
}
