package racewire.rt;

/** Tells the library which locks a thread waits for while it holds others, and where it took them. */
final class Nesting {
    private final ThreadState me;

    /**
     * Acquisitions inside others that have been told of, by locks and by what the thread knew of the others' time: 1 if it
     * was known where the others were taken, else 0.
     */
    private Memo told;

    Nesting(ThreadState me) {
        this.me = me;
    }

    /** The latest lock was waited for while others were held. */
    void tell() {
        HeldLock taken = me.top();
        int depth = me.depth();
        if (depth < 2 || taken.again || me.ref(taken) == null || me.clock.slot == Slots.NOBODY) {
            return;
        }
        long held = 0;
        long known = 1;
        for (HeldLock h = taken.below; h.lock != null; h = h.below) {
            held = held * 31 + me.code(h);
            known = h.taken == null && !h.again ? 0 : known;
        }
        if (told == null) {
            told = new Memo(8, 4096);
        }
        Clock clock = me.clock;
        long version = clock.hardVersion() << 32 | taken.code + 1L;
        if (told.get(held, version) < known) {
            told.put(held, version, known);
            clock.mark();
            int[] locks = new int[depth - 1];
            int[] places = new int[depth - 1];
            for (int i = 1; i < depth; i++) {
                HeldLock h = me.level(i);
                locks[i - 1] = me.code(h);
                places[i - 1] = takenAt(h);
                if (h.ref != null) {
                    h.ref.hasOthersInside();
                }
            }
            taken.takenAt = Native.nested(me.id(), taken.code, locks, places, clock.slot, (int) clock.time(),
                    clock.hardTimes(), taken.taken != null ? Stacks.text(taken.taken.getStackTrace()) : Stacks.capture());
        }
    }

    /** The library's number for where the lock was taken, or 0. */
    static int takenAt(HeldLock h) {
        if (h.takenAt == 0 && h.taken != null) {
            h.takenAt = Native.lockTakenAt(Stacks.text(h.taken.getStackTrace()));
        }
        return h.takenAt;
    }
}
