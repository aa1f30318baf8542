package racewire.rt;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The end of a class's initialiser, which everybody who uses the class comes to know (JLS 12.4.2). Programs use classes
 * everywhere, and mostly all threads know before long: then the hooks need not ask any more.
 */
final class Initialisation {
    /** Those that somebody may not know, and all others; weakly, as classes may be unloaded. Guarded by the class. */
    private static List<WeakReference<Initialisation>> awaited = new ArrayList<>();
    private static List<WeakReference<Initialisation>> common = new ArrayList<>();

    final Past end;
    /**
     * All threads know. Who does not see that yet learns once more, to no effect; a thread that makes it untrue sees that
     * itself, see {@link #isNews}.
     */
    private boolean isCommon;

    Initialisation(Past end) {
        this.end = end;
        // In the trace of a run each use of a class is an event.
        if (!Trace.ON && end.slot != Slots.NOBODY) {
            await(this);
            Background.begin();
        }
    }

    /** Whether the current thread may not know. One that has had no event yet is not among those that were asked. */
    boolean isToLearn() {
        return !isCommon || !ThreadTable.isHere();
    }

    private static synchronized void await(Initialisation made) {
        awaited.add(new WeakReference<>(made));
    }

    /** Finds those that all threads know by now. */
    static synchronized void look() {
        List<WeakReference<Initialisation>> left = new ArrayList<>();
        long[] known = Past.NOTHING;
        for (WeakReference<Initialisation> ref : awaited) {
            Initialisation made = ref.get();
            if (made != null) {
                if (known.length <= made.end.slot) {
                    known = knownToAll(made.end.slot + 1);
                }
                made.isCommon = made.end.time <= known[made.end.slot];
                (made.isCommon ? common : left).add(ref);
            }
        }
        awaited = left;
    }

    /** By slot, the time up to which all threads surely know what was done. */
    private static long[] knownToAll(int slots) {
        long[] least = new long[slots];
        Arrays.fill(least, Long.MAX_VALUE);
        // Twice: one that was started meanwhile may be met the second time only, and its starter have learned since.
        for (int i = 0; i < 2; i++) {
            for (ThreadState state : ThreadTable.all()) {
                if (!state.hasEnded()) {
                    state.clock.lower(least);
                }
            }
            Mem.M.loadFence();
        }
        return least;
    }

    /** The current thread, which is among {@link ThreadTable#all}, knows nothing of what others did. */
    static synchronized void isNews() {
        for (WeakReference<Initialisation> ref : common) {
            Initialisation made = ref.get();
            if (made != null) {
                made.isCommon = false;
                awaited.add(ref);
            }
        }
        common = new ArrayList<>();
    }
}
