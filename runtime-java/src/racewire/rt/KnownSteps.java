package racewire.rt;

/** Steps of the detector that a thread has seen before: they need not be asked for again. Private to the thread. */
final class KnownSteps {
    /** What was remembered in an earlier generation no longer holds; a step that is not known is merely slower. */
    private static volatile int generation;

    private Memo steps;
    private int stepsGeneration;

    /**
     * A thread turned up whose start was not seen: it sees nothing that others did, so hand-overs now keep what
     * they could forget before (see the crate detectors, {@code Core::orphans}). Or stacks of a site are wanted,
     * whose accesses must come by again.
     */
    static synchronized void forgetAll() {
        generation++;
    }

    /** The result, or {@link Memo#MISS}. */
    long get(long word, long key) {
        if (stepsGeneration != generation) {
            stepsGeneration = generation;
            steps = null;
        }
        return steps == null ? Memo.MISS : steps.get(word, key);
    }

    void put(long word, long key, long result) {
        if (steps == null) {
            steps = new Memo(16, 8192);
        }
        steps.put(word, key, result);
    }
}
