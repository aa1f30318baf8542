package racewire.rt;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.StampedLock;

/**
 * Optimistic reads of {@code StampedLock}s. What is done between {@code tryOptimisticRead} and {@code validate} is ordered
 * after the last writer only if the stamp turns out to be valid, and is of no account if it does not: so races are held
 * back until the stamp is asked about. A stamp that nobody asks about has ordered nothing.
 */
final class Optimistic {
    /** Some thread has read like this. */
    static volatile boolean used;

    /** Stamps of one thread that are not asked about yet: the oldest is given up when there are more. */
    private static final int MAX_OPEN = 8;
    /** Sections of one thread that a lock remembers one by one: what is older is taken to be part of some. */
    private static final int MAX_CLOSED = 64;

    /** Open sections with races held back, for the end of the process. */
    private static final Set<Section> UNDECIDED = ConcurrentHashMap.newKeySet();

    private Optimistic() { }

    /** A race that is told unless one of the sections that it is part of turns out well. */
    private static final class Held {
        private final long earlier;
        /** It was the earlier access that was optimistic. */
        private final boolean byWriter;
        private final Runnable tell;
        private int open;
        private boolean forgiven;

        Held(long earlier, boolean byWriter, Runnable tell) {
            this.earlier = earlier;
            this.byWriter = byWriter;
            this.tell = tell;
        }

        synchronized void in(Section section) {
            open++;
            section.held.add(this);
        }

        void leave(boolean good) {
            synchronized (this) {
                forgiven |= good;
                if (--open > 0 || forgiven) {
                    return;
                }
            }
            tell.run();
        }
    }

    /** What a thread does between getting a stamp and asking about it. */
    static final class Section {
        private final SyncRef lock;
        private final long stamp;
        private final int slot;
        private final long from;
        /** Its number in the trace. */
        private final long traced;
        /** The last moment; none while it is open. */
        private long to = Long.MAX_VALUE;
        private final List<Held> held = new ArrayList<>();

        Section(SyncRef lock, long stamp, int slot, long from, long traced) {
            this.lock = lock;
            this.stamp = stamp;
            this.slot = slot;
            this.from = from;
            this.traced = traced;
        }
    }

    /** The sections of one lock. */
    static final class Sections {
        private final List<Section> all = new ArrayList<>();

        private synchronized void add(Section section) {
            all.add(section);
        }

        /** It was asked about; false: it never will be. */
        private synchronized List<Held> close(Section section, long to, boolean asked) {
            section.to = to;
            if (!asked) {
                all.remove(section);
            } else if (all.size() > MAX_CLOSED) {
                forgetOldest(section.slot);
            }
            List<Held> held = new ArrayList<>(section.held);
            section.held.clear();
            return held;
        }

        private void forgetOldest(int slot) {
            Section oldest = null;
            for (int i = 0; i < all.size(); i++) {
                Section s = all.get(i);
                if (s.slot != slot || s.to == Long.MAX_VALUE) {
                    continue;
                }
                if (oldest != null) {
                    all.remove(i);
                    all.remove(oldest);
                    Section both = new Section(s.lock, 0, slot, oldest.from, 0);
                    both.to = s.to;
                    all.add(0, both);
                    return;
                }
                oldest = s;
            }
        }

        /** Whether that moment is part of a section; if that is open, the race is held back there. */
        private synchronized boolean cover(long earlier, Runnable tell) {
            int slot = Stamps.slot(earlier);
            long time = Stamps.time(earlier);
            for (int i = all.size() - 1; i >= 0; i--) {
                Section s = all.get(i);
                if (s.slot == slot && s.from <= time && time <= s.to) {
                    if (s.to == Long.MAX_VALUE) {
                        new Held(earlier, true, tell).in(s);
                        UNDECIDED.add(s);
                    }
                    return true;
                }
            }
            return false;
        }
    }

    /** After a stamp was given out, even if it is 0: what follows is good if that is asked about. */
    static void open(Object lock, long stamp) {
        ThreadState me = ThreadTable.current();
        // What was done until now is no part of it.
        me.clock.tell();
        used = true;
        if (me.optimistic == null) {
            me.optimistic = new ArrayList<>();
        }
        SyncRef ref = me.sync(lock);
        for (int i = me.optimistic.size() - 1; i >= 0; i--) {
            Section s = me.optimistic.get(i);
            if (s.lock == ref && s.stamp == stamp) {
                // The lock has not changed since: the same section goes on.
                return;
            }
        }
        if (me.optimistic.size() == MAX_OPEN) {
            end(me, me.optimistic.remove(0), false, false);
        }
        me.past();
        long traced = Trace.ON ? Trace.stamp(me.id(), lock) : 0;
        Section section = new Section(ref, stamp, me.clock.slot, me.clock.time(), traced);
        me.optimistic.add(section);
        ref.sections().add(section);
    }

    /** After the stamp was asked about. */
    static void asked(Object lock, long stamp, boolean valid) {
        ThreadState me = ThreadTable.current();
        // What was done until now is part of it.
        me.clock.tell();
        if (valid) {
            me.sync(lock).acquire(me);
        }
        for (int i = 0; me.optimistic != null && i < me.optimistic.size(); i++) {
            Section s = me.optimistic.get(i);
            if (s.stamp == stamp && s.lock.get() == lock) {
                me.optimistic.remove(i);
                end(me, s, true, valid);
                return;
            }
        }
    }

    private static void end(ThreadState me, Section section, boolean asked, boolean valid) {
        boolean writing = isWriting(section.lock);
        if (Trace.ON) {
            Trace.asked(me.id(), section.traced, asked, valid, writing, section.lock.var().moment());
        }
        List<Held> held = section.lock.sections().close(section, me.past().time, asked);
        UNDECIDED.remove(section);
        for (Held h : held) {
            h.leave(asked && (h.byWriter || isOfWriter(me, section.lock, h.earlier, valid, writing)));
        }
    }

    private static boolean isWriting(SyncRef lock) {
        Object held = lock.get();
        return held != null && held.getClass() == StampedLock.class && ((StampedLock) held).isWriteLocked();
    }

    /** Whether that access was made by a thread that had the write lock. */
    private static boolean isOfWriter(ThreadState me, SyncRef lock, long earlier, boolean valid, boolean writing) {
        int slot = Stamps.slot(earlier);
        long time = Stamps.time(earlier);
        if (me.clock.knows(slot, time)) {
            return true;
        }
        return !valid && (writing || lock.var().knows(slot, time));
    }

    /** Whether the race of an access now with that earlier one is none, or not yet: then {@code tell} is kept. */
    static boolean holdBack(ThreadState me, long earlier, Runnable tell) {
        if (me.optimistic != null && !me.optimistic.isEmpty()) {
            Held held = new Held(earlier, false, tell);
            for (Section s : me.optimistic) {
                synchronized (s.lock.sections()) {
                    held.in(s);
                }
                UNDECIDED.add(s);
            }
            return true;
        }
        for (HeldLock h = me.top(); h.lock != null; h = h.below) {
            SyncRef lock = h.shared ? null : SyncTable.peek(h.lock);
            if (lock != null && lock.isReadOptimistically() && lock.sections().cover(earlier, tell)) {
                return true;
            }
        }
        return false;
    }

    /** At the end of the process: nobody will ask any more. */
    static void giveUp() {
        for (Section s : UNDECIDED) {
            for (Held h : s.lock.sections().close(s, Long.MAX_VALUE, false)) {
                h.leave(false);
            }
        }
    }
}
