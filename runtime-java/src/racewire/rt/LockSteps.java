package racewire.rt;

/** The step of a lock-set machine at an access: in Java where it is known, else by the native library. */
final class LockSteps {
    /** Java makes the first steps itself only where the detector's machine is known to make the same. */
    static final boolean FIRST_STEPS = !Trace.ON && (Monitoring.SHARING || Order.ON || Options.detects("racer"));

    private LockSteps() { }

    /** An access of the current thread at the site with this id. */
    static void step(ThreadState me, Sites sites, int id, Object owner, Object holder, WordPlace place, int ordinal) {
        long epoch = me.epochFor(owner);
        if (epoch == 0) {
            return;
        }
        for (;;) {
            long old = Mem.M.getLong(holder, place.offset);
            if (Epochs.isTouched(old, epoch, ordinal)
                    || Counts.ON && me.settled.wouldKnow(old, epoch, ordinal, owner)) {
                return;
            }
            if (Counts.ON) {
                Counts.SLOW.increment();
            }
            long result = next(me, old, epoch, ordinal, id);
            if (result == Memo.MISS) {
                Monitoring.checkTrouble();
                return;
            }
            long word = Native.word(result);
            if (word == old || Mem.M.compareAndSet(holder, place.offset, old, word)) {
                if ((result & Native.FLAGS) != 0 || WantedStacks.isWanted(id)) {
                    report(result, old, Epochs.id(epoch), sites, id, owner);
                } else if (SiteSets.isOf(word, epoch)) {
                    SiteSets.learn(word, ordinal);
                } else if (word == old && old < 0) {
                    me.settled.settle(old, epoch, ordinal, result);
                }
                return;
            }
        }
    }

    /** The word after this access, with the library's flags. */
    private static long next(ThreadState me, long old, long epoch, int ordinal, int id) {
        if (FIRST_STEPS && ordinal < Epochs.OVERFLOW_ORDINAL) {
            if (old == 0) {
                return Epochs.first(epoch, ordinal);
            }
            if (((old ^ epoch) & Epochs.MASK) == 0) {
                return old | 1L << ordinal;
            }
        }
        long key = (long) Epochs.id(epoch) << 32 | id;
        long known = me.steps.get(old, key);
        if (known != Memo.MISS) {
            return known;
        }
        if (Counts.ON) {
            Counts.STEPS.increment();
            Counts.NATIVE.increment();
        }
        long result = Native.step(old, Epochs.id(epoch), id);
        if ((result & Native.FLAGS) == 0) {
            me.steps.put(old, key, result);
        }
        return result;
    }

    private static void report(long result, long old, int epoch, Sites sites, int id, Object owner) {
        boolean found = (result & Native.REPORT) != 0;
        boolean isWanted = (result & Native.STACK) != 0 || WantedStacks.isWanted(id);
        if (!found && !isWanted) {
            return;
        }
        // A field that is raced on everywhere is told of without stacks after a while.
        String[] stack = isWanted ? Stacks.capture() : Stacks.NONE;
        WantedStacks.captured(id);
        if (found) {
            WantedStacks.want(Native.found(old, epoch, id, sites.ownerName(owner, id), stack));
        } else {
            Native.stack(id, epoch, stack);
        }
    }
}
