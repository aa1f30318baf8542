package racewire.rt;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/**
 * Tells that there was a collection: something is gone that nothing refers to, or less of the heap is used. The first alone is
 * not enough. G1, when it has much to keep, makes some references old at once, and keeps what they refer to with them until
 * the old ones are collected; minutes may pass until then.
 */
final class CollectorWatch {
    private static final long MOST_MS = 250;

    private final ReferenceQueue<Object> gone = new ReferenceQueue<>();
    /** Of nothing but this. */
    private WeakReference<Object> next = fresh();
    private long used = used();
    private long usedAfterLast = used;
    private boolean isEmptier;
    /** The collection that takes it away was told of already; null if none was. */
    private Reference<?> told;

    private WeakReference<Object> fresh() {
        return new WeakReference<>(new Object(), gone);
    }

    private static long used() {
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    /** Waits for one for some time, but no more than so many milliseconds; whether there was one since the last call. */
    boolean await(long ms) throws InterruptedException {
        // On the stack: what can be reached from there is moved first, while there is room for what is young.
        WeakReference<Object> awaited = next;
        Reference<?> found = gone.remove(Math.min(ms, MOST_MS));
        long before = used;
        used = used();
        boolean isNews = found != null && found != told;
        told = null;
        if (found == null && used < before) {
            isNews = true;
            told = awaited;
        }
        if (!awaited.isEnqueued()) {
            // It may be old by now. One that is about to be queued is queued all the same.
            next = fresh();
        }
        if (isNews) {
            isEmptier = used < usedAfterLast / 2;
            usedAfterLast = used;
        }
        return isNews;
    }

    /** Whether half of what the last collection but one had left is gone: then the last one took away what was old, too. */
    boolean isEmptier() {
        return isEmptier;
    }
}
