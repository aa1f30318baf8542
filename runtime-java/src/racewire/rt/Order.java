package racewire.rt;

/**
 * Happens-before, after FastTrack: each variable has a stamp of its last write and one of its last read, or the readers
 * since then. The state lives in Java, unlike that of the lock-set machines, because it must go when its object goes:
 * clocks are arrays that the garbage collector frees.
 *
 * <p>Two threads that come at once must not both miss the other: each first makes its own stamp known, with the fence of
 * a compare-and-set, and looks at the other's afterwards.
 */
final class Order {
    /** Lock sets are looked at too. */
    static final boolean HYBRID = Options.detects("hybrid");
    static final boolean ON = !Monitoring.SHARING && (HYBRID || Options.detects("happens_before"));

    /** Locks that are taken inside others are looked at. */
    static final boolean LOCKS = !Monitoring.SHARING && Options.detects("lock_order");

    /** Threads have clocks. */
    static final boolean CLOCKS = ON || LOCKS || Sections.ON;

    private Order() { }

    /**
     * An access of the current thread under these {@link LockSets locks}; what it met is in {@code me.met}.
     *
     * @param observes what is read is looked at: if it was written under a lock that is held now, the thread has seen what
     *     was done under its locks
     */
    static void access(ThreadState me, Object holder, WordPlace place, boolean write, boolean observes, int ordinal,
            int locks) {
        if (OutOfLine.NEVER) {
            OutOfLine.fill(999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999,
                    999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999);
        }
        Encounter met = me.met;
        met.begin();
        long mine = me.stampNow() | ordinal;
        int writeLocks = place.writeLocks(holder);
        if (write) {
            long overwritten = exchange(holder, place.writes, mine);
            met.meet(overwritten, CommonLocks.of(writeLocks, true));
            meetReaders(me, holder, place);
            if (met.chances.count > 0 && me.depth > 0 && met.chances.hasRead()) {
                Doors.close(me, holder, place, overwritten);
            }
            if (observes && me.commonLocks.anyProtects(met.chances, CommonLocks.of(locks, true))) {
                me.relyOnLocks();
            }
            if (writeLocks != locks) {
                place.setWriteLocks(holder, locks);
            }
        } else {
            long written = Mem.M.getLong(holder, place.writes);
            met.meet(written, CommonLocks.of(writeLocks, true));
            if (HYBRID && observes && me.depth > 0) {
                Looks.look(me, holder, place, written);
            }
            if (observes && me.commonLocks.anyProtects(met.chances, CommonLocks.of(locks, false))) {
                // First, so that earlier reads can give way to this one.
                me.relyOnLocks();
            }
            read(me, holder, place, mine, locks, written);
            long writtenMeanwhile = Mem.M.getLong(holder, place.writes);
            if (writtenMeanwhile != written) {
                met.meet(writtenMeanwhile, LockSets.UNKNOWN);
            }
        }
    }

    // ---- accesses that meet nothing: what was done to their variable before is surely ordered before them

    /** A write, if it is such a one; if not {@link #access} is asked as well, and finds out what it meets. */
    static boolean writes(ThreadState me, Object holder, WordPlace place, int ordinal, int locks) {
        Clock clock = me.clock;
        long mine = me.stampNow() | ordinal;
        long written = Mem.M.getLong(holder, place.writes);
        long reads = Mem.M.getLong(holder, place.reads);
        if (!isSettled(clock, written) || reads < 0 || !isSettled(clock, reads)
                || !Mem.M.compareAndSet(holder, place.writes, written, mine)) {
            return false;
        }
        // Whoever reads at the same time sees this stamp, or is seen here.
        if (reads != 0 && Stamps.slot(reads) != clock.slot ? !Mem.M.compareAndSet(holder, place.reads, reads, 0)
                : Mem.M.getLong(holder, place.reads) != reads) {
            return false;
        }
        if (place.writeLocks(holder) != locks) {
            place.setWriteLocks(holder, locks);
        }
        return true;
    }

    /** The same for a read. */
    static boolean reads(ThreadState me, Object holder, WordPlace place, boolean observes, int ordinal, int locks) {
        Clock clock = me.clock;
        long mine = me.stampNow() | ordinal;
        long written = Mem.M.getLong(holder, place.writes);
        if (!isSettled(clock, written)) {
            return false;
        }
        if (HYBRID && observes && me.depth > 0) {
            Looks.look(me, holder, place, written);
        }
        long reads = Mem.M.getLong(holder, place.reads);
        if (reads < 0) {
            return readAgain(me, holder, place, reads, mine, locks) && Mem.M.getLong(holder, place.writes) == written;
        }
        if (!isSettled(clock, reads) || !Mem.M.compareAndSet(holder, place.reads, reads, mine)) {
            return false;
        }
        if (place.readLocks(holder) != locks) {
            place.setReadLocks(holder, locks);
        }
        return Mem.M.getLong(holder, place.writes) == written;
    }

    private static boolean isSettled(Clock clock, long stamp) {
        int slot = Stamps.slot(stamp);
        return stamp == 0 || slot == clock.slot
                || (HYBRID ? clock.knowsSurely(slot, Stamps.time(stamp)) : clock.knows(slot, Stamps.time(stamp)));
    }

    // ---- all accesses

    /** What an access would meet that is not kept. */
    static void look(ThreadState me, Object holder, WordPlace place, boolean write) {
        Encounter met = me.met;
        met.begin();
        met.meet(Mem.M.getLong(holder, place.writes), LockSets.UNKNOWN);
        long reads = write ? Mem.M.getLong(holder, place.reads) : 0;
        if (reads >= 0) {
            met.meet(reads, LockSets.UNKNOWN);
            return;
        }
        Readers readers = readers(holder, place);
        if (readers != null) {
            synchronized (readers) {
                if (readers.mark == reads) {
                    readers.meet(met);
                }
            }
        }
    }

    private static long exchange(Object holder, long at, long mine) {
        for (;;) {
            long old = Mem.M.getLong(holder, at);
            if (Mem.M.compareAndSet(holder, at, old, mine)) {
                return old;
            }
        }
    }

    /** A write meets all reads since the last one, and ends them. */
    private static void meetReaders(ThreadState me, Object holder, WordPlace place) {
        Encounter met = me.met;
        for (;;) {
            long old = Mem.M.getLong(holder, place.reads);
            if (old >= 0) {
                met.meet(old, CommonLocks.of(place.readLocks(holder), false));
                if (old == 0 || Stamps.slot(old) == me.clock.slot
                        || Mem.M.compareAndSet(holder, place.reads, old, 0)) {
                    return;
                }
                continue;
            }
            Readers readers = readers(holder, place);
            if (readers == null) {
                return;
            }
            synchronized (readers) {
                if (readers.mark != old) {
                    continue;
                }
                readers.meet(met);
                // Only who holds the readers changes a mark.
                readers.mark = 0;
                Mem.M.compareAndSet(holder, place.reads, old, 0);
                return;
            }
        }
    }

    private static void read(ThreadState me, Object holder, WordPlace place, long mine, int locks, long written) {
        for (;;) {
            long old = Mem.M.getLong(holder, place.reads);
            if (old < 0) {
                if (readAgain(me, holder, place, old, mine, locks) || addReader(me, holder, place, old, mine, locks)) {
                    return;
                }
            } else if (replaces(me.clock, old, written)) {
                if (Mem.M.compareAndSet(holder, place.reads, old, mine)) {
                    if (place.readLocks(holder) != locks) {
                        place.setReadLocks(holder, locks);
                    }
                    return;
                }
            } else if (share(me, holder, place, old, mine, locks)) {
                return;
            }
        }
    }

    /**
     * Whether nobody needs the old read any more: whoever is after this one is after that one, or its thread has
     * written since, which conflicts with more.
     */
    private static boolean replaces(Clock clock, long old, long written) {
        int slot = Stamps.slot(old);
        long time = Stamps.time(old);
        return old == 0 || slot == Stamps.slot(written) && time <= Stamps.time(written)
                || (HYBRID ? clock.knowsSurely(slot, time) : clock.knows(slot, time));
    }

    /**
     * A later read of a thread that is among the readers. Whoever ends them meanwhile has written before: either that
     * thread sees this stamp, or this one, which looks once more, sees that write.
     */
    private static boolean readAgain(ThreadState me, Object holder, WordPlace place, long mark, long mine, int locks) {
        SharedRead read = me.reads.get(mark);
        if (read == null || read.locks != locks) {
            return false;
        }
        read.stamp = mine;
        Mem.M.fullFence();
        return Mem.M.getLong(holder, place.reads) == mark;
    }

    private static boolean addReader(ThreadState me, Object holder, WordPlace place, long mark, long mine, int locks) {
        Readers readers = readers(holder, place);
        if (readers == null) {
            return true;
        }
        synchronized (readers) {
            if (readers.mark != mark) {
                return false;
            }
            boolean wasKnown = readers.wasKnown(mine);
            me.reads.put(readers.add(mine, locks), wasKnown);
        }
        return true;
    }

    /** A second thread reads. */
    private static boolean share(ThreadState me, Object holder, WordPlace place, long old, long mine, int locks) {
        Readers readers = readers(holder, place);
        if (readers == null) {
            readers = makeReaders(holder, place);
        }
        synchronized (readers) {
            if (readers.mark != 0) {
                return false;
            }
            readers.restart(me.nextMark());
            readers.addUnknown(old, place.readLocks(holder));
            me.reads.put(readers.add(mine, locks), false);
            boolean shared = Mem.M.compareAndSet(holder, place.reads, old, readers.mark);
            if (!shared) {
                readers.mark = 0;
            }
            return shared;
        }
    }

    private static Readers readers(Object holder, WordPlace place) {
        Readers r = Readers.in(Mem.M.getObject(holder, place.readers));
        while (r != null && r.place != place.reads) {
            r = r.next;
        }
        return r;
    }

    private static Readers makeReaders(Object holder, WordPlace place) {
        synchronized (Readers.class) {
            Readers known = readers(holder, place);
            if (known != null) {
                return known;
            }
            Object there = Mem.M.getObject(holder, place.readers);
            Readers made = new Readers(place.reads, Readers.in(there));
            Mem.M.storeFence();
            if (there instanceof LockRef.WithPast) {
                ((LockRef.WithPast) there).readers = made;
            } else {
                Mem.M.putObject(holder, place.readers, made);
            }
            return made;
        }
    }
}
