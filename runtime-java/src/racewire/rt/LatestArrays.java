package racewire.rt;

/** The arrays that a thread accessed last, by site: a loop stays with its arrays. Private to the thread. */
final class LatestArrays {
    private static final int PLACES = 16;

    private ArrayRef[] latest;

    /** Whether the thread, whose stamp this is, has made this access at this moment. */
    boolean know(Object array, int index, int site, boolean write, long stamp) {
        ArrayRef ref = latest == null ? null : latest[site & PLACES - 1];
        return ref != null && ref.get() == array && ref.knows(index, write, stamp);
    }

    /** What was done to {@code array}, which the site of this index in its class accesses. */
    ArrayRef of(int site, Object array) {
        if (latest == null) {
            latest = new ArrayRef[PLACES];
        }
        int at = site & PLACES - 1;
        ArrayRef ref = latest[at];
        if (ref == null || ref.get() != array) {
            ref = ArrayTable.of(array);
            latest[at] = ref;
        }
        return ref;
    }
}
