package racewire.rt;

/**
 * A thread's time and what it knows of the others'. Its time goes up after each release, so that what it does later is
 * not taken for known; nothing done or learned since the last release needs no new time. Only the thread itself uses it.
 */
final class Clock {
    final int slot;
    /** Whose it is: an id of the native library. */
    int thread;
    /** Of what the thread does now. */
    private long time;
    private long[] full;
    private long[] hard;
    private long hardVersion;
    /** Something was done or learned at this time: the next release is of this time, else of the one before. */
    private boolean eventful;
    /** Told of before the thread's time goes on, and before it learns something; null: none. */
    ArrayAccesses arrays;

    /** Of a thread that begins at {@code time}, knowing what {@code past} knew; null: nothing. */
    Clock(int slot, long time, int thread, Past past) {
        this.slot = slot;
        this.thread = thread;
        this.time = time;
        full = Past.NOTHING;
        hard = Past.NOTHING;
        if (past != null) {
            learn(past);
        }
    }

    /** As it is now, to whoever makes sure that it does not change meanwhile. */
    Clock copy() {
        Clock copy = new Clock(slot, time, thread, null);
        copy.full = full;
        copy.hard = hard;
        return copy;
    }

    long stamp() {
        return Stamps.of(slot, time);
    }

    long time() {
        return time;
    }

    /** The thread accesses something now. */
    void mark() {
        eventful = true;
    }

    /** What the thread did to arrays. */
    void tell() {
        if (arrays != null) {
            arrays.tell();
        }
    }

    // ---- releases

    /** The moment for others to learn of, under these {@link LockSets locks}; what comes next is later. */
    Past past(int locks) {
        Past now = moment(eventful ? time : time - 1, locks);
        hardVersion++;
        advance();
        return now;
    }

    /** The same for who comes by way of a final field, and for nobody else. */
    Past frozen() {
        Past now = moment(eventful ? time : time - 1, LockSets.NONE);
        advance();
        return now;
    }

    /** The same for a lock's next holder, who keeps it in place. */
    void leave(LockPast lock) {
        lock.slot = slot;
        lock.time = eventful ? time : time - 1;
        // A reference that is stored costs a fence if the lock is old.
        if (lock.full != full) {
            lock.full = full;
        }
        advance();
    }

    /** What others would learn now, without time going on: of a thread that has ended, or from another thread. */
    Past last() {
        return moment(time, LockSets.NONE);
    }

    /** What another thread would learn now of one that has done nothing since its last release, as far as can be seen. */
    Past released() {
        return moment(eventful ? time : time - 1, LockSets.NONE);
    }

    private Past moment(long when, int locks) {
        return Trace.ON ? new Moment(slot, when, full, hard, locks, Trace.release(thread))
                : new Past(slot, when, full, hard, locks);
    }

    /** What comes next is told from what came before: other locks are held, or it is released. */
    void advance() {
        tell();
        if (eventful) {
            eventful = false;
            time++;
        }
    }

    // ---- acquisitions

    void learn(Past past) {
        if (Trace.ON) {
            Trace.acquire(thread, past);
        }
        if (past.slot == 0) {
            learnFull(past.full, 0, 0);
            learnHard(past.hard, 0, 0);
        } else if (past.slot != slot) {
            if (Past.at(full, past.slot) < past.time) {
                learnFull(past.full, past.slot, past.time);
            }
            if (Past.at(hard, past.slot) < past.time) {
                learnHard(past.hard, past.slot, past.time);
            }
        }
    }

    /** The lock was unlocked by {@code lock.slot} before this thread could lock it, perhaps by chance. */
    void enter(LockPast lock) {
        int other = lock.slot;
        if (other == Slots.NOBODY ? lock.time > 0 : other != slot && Past.at(full, other) < lock.time) {
            learnFull(lock.full, other, lock.time);
        }
    }

    /** The same for the holders of a read lock, of whom there may have been many. */
    void enterAfter(Past readers) {
        if (readers.slot == 0) {
            learnFull(readers.full, 0, 0);
        } else if (readers.slot != slot) {
            learnFull(readers.full, readers.slot, readers.time);
        }
    }

    /** That was no chance: the thread has seen what was done under the lock. */
    void rely(LockPast lock) {
        learnHard(lock.full, lock.slot == slot ? 0 : lock.slot, lock.time);
    }

    private void learnFull(long[] others, int who, long when) {
        long[] more = OutOfLine.joined(full, others, who, who == 0 ? 0 : when);
        if (more != full) {
            tell();
            full = more;
            eventful = true;
        }
    }

    private void learnHard(long[] others, int who, long when) {
        long[] more = OutOfLine.joined(hard, others, who, who == 0 ? 0 : when);
        if (more != hard) {
            // What was done before is judged by what was sure then.
            tell();
            hard = more;
            hardVersion++;
            eventful = true;
        }
    }

    /** Another number whenever the thread may have come to know, or be known, by other means than locks. */
    long hardVersion() {
        return hardVersion;
    }

    /** What is surely known of the others, by slot; never written again. */
    long[] hard() {
        return hard;
    }

    /** The same, as the native library takes it. */
    int[] hardTimes() {
        return times(hard);
    }

    static int[] times(long[] clock) {
        int[] times = new int[clock.length];
        for (int i = 0; i < times.length; i++) {
            times[i] = (int) clock[i];
        }
        return times;
    }

    // ---- order

    /** No more than what this thread surely knows stays of {@code least}, by slot; asked by another thread. */
    void lower(long[] least) {
        long[] all = full;
        long[] sure = hard;
        for (int i = 0; i < least.length; i++) {
            if (i != slot) {
                least[i] = Math.min(least[i], Math.min(Past.at(all, i), Past.at(sure, i)));
            }
        }
    }

    /** Nothing is known by chance only. */
    boolean isSure() {
        return Past.covers(hard, full);
    }

    /** Whether what that thread did at that time is ordered before now. */
    boolean knows(int who, long when) {
        return who == slot || Past.at(full, who) >= when;
    }

    /** The same without the orders that may be chance. */
    boolean knowsSurely(int who, long when) {
        return who == slot || Past.at(hard, who) >= when;
    }
}
