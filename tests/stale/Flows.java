package stale;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Stale values, in pairs: a case where another thread writes between the read and the use, and a case beside it where
 * nobody does, though the code is the same or nearly so. Who comes when is decided by {@link Turns}, which is not woven.
 * Marks stand where the old value is used.
 */
public final class Flows {
    static final class Counter implements Cloneable {
        int count;
        long wide;
        static int total;
        final Map<String, Integer> map = new HashMap<>();
        final ReentrantLock lock = new ReentrantLock();

        void lostUpdate(Turns turns) {
            int old;
            synchronized (this) {
                old = count;
            }
            turns.pause();
            synchronized (this) {
                count = old + 1; // expect stale
            }
        }

        void lostInTime(Turns turns) {
            int old;
            synchronized (this) {
                old = count;
            }
            turns.pause();
            synchronized (this) {
                count = old + 2;
            }
        }

        /** A copy is another variable. */
        void copied(Turns turns) {
            int old;
            synchronized (this) {
                old = count;
            }
            turns.pause();
            synchronized (this) {
                count = old + 3;
            }
        }

        Counter copy() {
            try {
                return (Counter) super.clone();
            } catch (CloneNotSupportedException e) {
                throw new IllegalStateException(e);
            }
        }

        void lostWide(Turns turns) {
            long old;
            synchronized (this) {
                old = wide;
            }
            turns.pause();
            synchronized (this) {
                wide = old * 3; // expect stale
            }
        }

        synchronized int get() {
            return count;
        }

        synchronized void set(int value) {
            count = value;
        }

        void byCalls(Turns turns) {
            int old = get();
            turns.pause();
            set(old + 1); // expect stale
        }

        void byCallsInTime(Turns turns) {
            int old = get();
            turns.pause();
            set(old + 1);
        }

        /** What is read of another object in between is none of its business. */
        static void ofAnother(Counter one, Counter other, Turns turns) {
            int old = one.get();
            int last = other.get();
            turns.pause();
            one.set(old + last); // expect stale
        }

        void decision(Turns turns) {
            int old;
            lock.lock();
            try {
                old = count;
            } finally {
                lock.unlock();
            }
            turns.pause();
            if (old == 0) {
                lock.lock();
                try {
                    count = 7; // expect stale
                } finally {
                    lock.unlock();
                }
            }
        }

        void decisionInTime(Turns turns) {
            int old;
            lock.lock();
            try {
                old = count;
            } finally {
                lock.unlock();
            }
            turns.pause();
            if (old == 0) {
                lock.lock();
                try {
                    count = 7;
                } finally {
                    lock.unlock();
                }
            }
        }

        /** Its own writes do not make what it read old. */
        void ownWrite(Turns turns) {
            int old;
            synchronized (this) {
                old = count;
            }
            synchronized (this) {
                count = 5;
            }
            turns.pause();
            synchronized (this) {
                wide = old;
            }
        }

        /** Another's write, and then its own. */
        void ownWriteAfter(Turns turns) {
            int old;
            synchronized (this) {
                old = count;
            }
            turns.pause();
            synchronized (this) {
                count = 5;
            }
            synchronized (this) {
                wide = old; // expect stale
            }
        }

        static void ofClass(Turns turns) {
            int old;
            synchronized (Counter.class) {
                old = total;
            }
            turns.pause();
            synchronized (Counter.class) {
                total = old + 1; // expect stale
            }
        }

        /** What is read depends on the way. */
        void byWays(boolean isWide, Turns turns) {
            int old;
            synchronized (this) {
                old = isWide ? (int) wide : count;
            }
            turns.pause();
            synchronized (this) {
                count = old + 1; // expect stale
            }
        }

        /** The same, and what was read on this way nobody has written. */
        void byWaysInTime(boolean isWide, Turns turns) {
            int old;
            synchronized (this) {
                old = isWide ? (int) wide : count;
            }
            turns.pause();
            synchronized (this) {
                count = old + 1;
            }
        }

        /** Read in the first round, and something else in the second. */
        void otherInTheEnd(Turns turns) {
            int old = 0;
            for (int round = 0; round < 2; round++) {
                if (round == 0) {
                    synchronized (this) {
                        old = count;
                    }
                } else {
                    old = 1;
                }
            }
            turns.pause();
            synchronized (this) {
                count = old + 5;
            }
        }

        /** Something else in the first round, and read in the second. */
        void readInTheEnd(Turns turns) {
            int old = 0;
            for (int round = 0; round < 2; round++) {
                if (round == 1) {
                    synchronized (this) {
                        old = count;
                    }
                } else {
                    old = 1;
                }
            }
            turns.pause();
            synchronized (this) {
                count = old + 5; // expect stale
            }
        }

        /** Outside of critical sections, but another one was entered since it was read. */
        void afterAnother(Turns turns) {
            int old;
            synchronized (this) {
                old = count;
            }
            turns.pause();
            synchronized (this) {
                wide++;
            }
            look(old); // expect stale
        }

        void afterAnotherInTime(Turns turns) {
            int old;
            synchronized (this) {
                old = count;
            }
            turns.pause();
            synchronized (this) {
                wide++;
            }
            look(old);
        }

        /** A snapshot. */
        void snapshot(Turns turns) {
            int old;
            synchronized (this) {
                old = count;
            }
            turns.pause();
            look(old);
        }

        static void look(int value) {
            Integer.toString(value);
        }

        void inMap(Turns turns) {
            Integer old;
            synchronized (this) {
                old = map.get("a");
            }
            turns.pause();
            synchronized (this) {
                map.put("a", old == null ? 1 : old + 1); // expect stale
            }
        }

        synchronized void put(String key) {
            map.put(key, 9);
        }

        synchronized void setWide(long value) {
            wide = value;
        }

        synchronized void setLocked(int value) {
            lock.lock();
            try {
                count = value;
            } finally {
                lock.unlock();
            }
        }

        static synchronized void setTotal(int value) {
            total = value;
        }
    }

    interface Step {
        void run(Counter counter, Turns turns);
    }

    /** The first one pauses once, and the other one runs meanwhile. */
    private static void together(Step one, Step other) throws InterruptedException {
        Counter counter = new Counter();
        Turns turns = new Turns();
        Thread first = new Thread(() -> one.run(counter, turns), "one");
        Thread second = new Thread(() -> {
            turns.awaitPause();
            other.run(counter, turns);
            turns.goOn();
        }, "other");
        first.start();
        second.start();
        first.join();
        second.join();
    }

    public static void main(String[] args) throws InterruptedException {
        Counter elsewhere = new Counter();
        Step nothing = (counter, turns) -> elsewhere.set(3);
        Step write = (counter, turns) -> counter.set(4);
        // Once more: then the stacks of all places are known.
        together(Counter::lostUpdate, write);
        together(Counter::lostUpdate, write);
        together(Counter::copied, (counter, turns) -> counter.copy().set(4));
        together(Counter::lostInTime, nothing);
        together(Counter::lostWide, (counter, turns) -> counter.setWide(8));
        together(Counter::byCalls, write);
        together(Counter::byCallsInTime, nothing);
        together((counter, turns) -> Counter.ofAnother(counter, elsewhere, turns), write);
        together(Counter::decision, (counter, turns) -> counter.setLocked(1));
        together(Counter::decisionInTime, nothing);
        together(Counter::ownWrite, nothing);
        together(Counter::ownWriteAfter, write);
        together((counter, turns) -> Counter.ofClass(turns), (counter, turns) -> Counter.setTotal(6));
        together((counter, turns) -> counter.byWays(false, turns), write);
        together((counter, turns) -> counter.byWaysInTime(true, turns), write);
        together(Counter::otherInTheEnd, write);
        together(Counter::readInTheEnd, write);
        together(Counter::afterAnother, write);
        together(Counter::afterAnotherInTime, nothing);
        together(Counter::snapshot, write);
        together(Counter::inMap, (counter, turns) -> counter.put("a"));
    }
}
