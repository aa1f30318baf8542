package order;

import static order.Turns.check;
import static order.Turns.inTurn;
import static order.Turns.ordered;
import static order.Turns.races;
import static order.Turns.start;
import static order.Turns.together;
import static order.Turns.use;

import invisible.Stage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/** Lock: "a successful lock operation has the same memory synchronization effects as a successful Lock action" (17.4). */
final class Locks {
    static void run() {
        reentrant();
        conditions();
        readWrite();
        stamped();
    }

    private static void reentrant() {
        ordered("ReentrantLock", () -> {
            Lock l = new ReentrantLock();
            Cell c = new Cell();
            inTurn(
                    () -> { l.lock(); c.v = 1; l.unlock(); },
                    () -> { l.lock(); use(c.v); l.unlock(); });
        });
        races("two ReentrantLocks", () -> {
            Lock l = new ReentrantLock();
            Lock k = new ReentrantLock();
            Cell c = new Cell();
            inTurn(
                    () -> { l.lock(); c.v = 1; l.unlock(); }, // expect race
                    () -> { k.lock(); use(c.v); k.unlock(); }); // expect race
        });
        races("the monitor of a Lock is another lock", () -> {
            Lock l = new ReentrantLock();
            Cell c = new Cell();
            inTurn(
                    () -> { l.lock(); c.v = 1; l.unlock(); }, // expect race
                    () -> { synchronized (l) { use(c.v); } }); // expect race
        });
        races("ordered by the chance order of two locks", () -> {
            ReentrantLock l = new ReentrantLock();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; l.lock(); l.unlock(); }, // expect potential race
                    () -> { l.lock(); l.unlock(); use(c.v); }); // expect potential race
        });
        races("written after unlock", () -> {
            ReentrantLock l = new ReentrantLock();
            Cell c = new Cell();
            inTurn(
                    () -> { l.lock(); l.unlock(); c.v = 1; }, // expect race
                    () -> { l.lock(); use(c.v); l.unlock(); }); // expect race
        });
        ordered("handed over by a flag under the lock", () -> {
            Lock l = new ReentrantLock();
            Cell ready = new Cell();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; l.lock(); ready.v = 1; l.unlock(); },
                    () -> { l.lock(); use(ready.v); l.unlock(); use(c.v); });
        });
        ordered("lockInterruptibly, tryLock, tryLock with a time limit", () -> {
            Lock l = new ReentrantLock();
            Cell c = new Cell();
            inTurn(
                    () -> { l.lockInterruptibly(); c.v = 1; l.unlock(); },
                    () -> { check(l.tryLock()); c.v++; l.unlock(); },
                    () -> { check(l.tryLock(1, TimeUnit.SECONDS)); c.v++; l.unlock(); });
        });
        // "Unsuccessful locking … operations do not require any memory synchronization effects."
        races("a tryLock that failed", () -> {
            Lock l = new ReentrantLock();
            Cell c = new Cell();
            Stage s = new Stage();
            Thread holder = start(() -> {
                l.lock();
                c.v = 1; // expect race
                s.reach(1);
                s.await(2);
                l.unlock();
            });
            s.await(1);
            inTurn(() -> {
                check(!l.tryLock());
                use(c.v); // expect race
            });
            s.reach(2);
            Stage.ended(holder);
        });
        races("a tryLock that timed out", () -> {
            Lock l = new ReentrantLock();
            Cell c = new Cell();
            Stage s = new Stage();
            Thread holder = start(() -> {
                l.lock();
                c.v = 1; // expect race
                s.reach(1);
                s.await(2);
                l.unlock();
            });
            s.await(1);
            inTurn(() -> {
                check(!l.tryLock(1, TimeUnit.MILLISECONDS));
                use(c.v); // expect race
            });
            s.reach(2);
            Stage.ended(holder);
        });
        ordered("locked twice, still held", () -> {
            ReentrantLock l = new ReentrantLock();
            Cell c = new Cell();
            inTurn(
                    () -> { l.lock(); l.lock(); l.unlock(); c.v = 1; l.unlock(); },
                    () -> { l.lock(); use(c.v); l.unlock(); });
        });
        ordered("unlocked in finally", () -> {
            Lock l = new ReentrantLock(true);
            Cell c = new Cell();
            inTurn(
                    () -> {
                        try {
                            l.lock();
                            try {
                                c.v = 1;
                                throw new IllegalStateException();
                            } finally {
                                l.unlock();
                            }
                        } catch (IllegalStateException expected) {
                            use(expected);
                        }
                    },
                    () -> { l.lock(); use(c.v); l.unlock(); });
        });
    }

    private static void conditions() {
        ordered("Condition: await locks again", () -> {
            Lock l = new ReentrantLock();
            Condition changed = l.newCondition();
            Cell ready = new Cell();
            Cell c = new Cell();
            Thread waiter = start(() -> {
                l.lock();
                while (ready.v == 0) {
                    changed.await();
                }
                l.unlock();
                use(c.v);
            });
            Stage.waits(waiter);
            inTurn(() -> { c.v = 1; l.lock(); ready.v = 1; changed.signalAll(); l.unlock(); });
            Stage.ended(waiter);
        });
        races("Condition: written after the signal, outside", () -> {
            Lock l = new ReentrantLock();
            Condition changed = l.newCondition();
            Cell ready = new Cell();
            Cell c = new Cell();
            Stage s = new Stage();
            Thread waiter = start(() -> {
                l.lock();
                while (ready.v == 0) {
                    changed.awaitUninterruptibly();
                }
                l.unlock();
                s.await(1);
                use(c.v); // expect race
            });
            Stage.waits(waiter);
            inTurn(() -> {
                l.lock();
                ready.v = 1;
                changed.signal();
                l.unlock();
                c.v = 1; // expect race
                s.reach(1);
            });
            Stage.ended(waiter);
        });
        ordered("Condition: await unlocks", () -> {
            Lock l = new ReentrantLock();
            Condition changed = l.newCondition();
            Cell c = new Cell();
            Thread waiter = start(() -> {
                l.lock();
                c.v = 1;
                changed.await();
                use(c.v);
                l.unlock();
            });
            Stage.waits(waiter);
            inTurn(() -> { l.lock(); c.v++; changed.signal(); l.unlock(); });
            Stage.ended(waiter);
        });
        ordered("Condition: an await that timed out holds the lock", () -> {
            Lock l = new ReentrantLock();
            Condition changed = l.newCondition();
            Cell c = new Cell();
            inTurn(
                    () -> { l.lock(); c.v = 1; l.unlock(); },
                    () -> { l.lock(); check(!changed.await(1, TimeUnit.MILLISECONDS)); c.v++; l.unlock(); },
                    () -> { l.lock(); check(changed.awaitNanos(1) <= 0); c.v++; l.unlock(); });
        });
    }

    /** "All threads that get the read lock see all updates made upon previous release of the write lock." */
    private static void readWrite() {
        ordered("write lock, then read lock", () -> {
            ReadWriteLock l = new ReentrantReadWriteLock();
            Cell c = new Cell();
            inTurn(
                    () -> { l.writeLock().lock(); c.v = 1; l.writeLock().unlock(); },
                    () -> { l.readLock().lock(); use(c.v); l.readLock().unlock(); });
        });
        ordered("read lock, then write lock", () -> {
            ReadWriteLock l = new ReentrantReadWriteLock();
            Cell c = new Cell();
            inTurn(
                    () -> { l.readLock().lock(); use(c.v); l.readLock().unlock(); },
                    () -> { l.readLock().lock(); use(c.v); l.readLock().unlock(); },
                    () -> { l.writeLock().lock(); c.v = 1; l.writeLock().unlock(); });
        });
        ordered("write lock, then write lock", () -> {
            ReentrantReadWriteLock l = new ReentrantReadWriteLock();
            Cell c = new Cell();
            inTurn(
                    () -> { l.writeLock().lock(); c.v = 1; l.writeLock().unlock(); },
                    () -> { l.writeLock().lock(); c.v++; l.writeLock().unlock(); });
        });
        races("two read locks order nothing", () -> {
            ReadWriteLock l = new ReentrantReadWriteLock();
            Cell c = new Cell();
            inTurn(
                    () -> { l.readLock().lock(); c.v = 1; l.readLock().unlock(); }, // expect race
                    () -> { l.readLock().lock(); use(c.v); l.readLock().unlock(); }); // expect race
        });
        races("two locks", () -> {
            ReadWriteLock l = new ReentrantReadWriteLock();
            ReadWriteLock k = new ReentrantReadWriteLock();
            Cell c = new Cell();
            inTurn(
                    () -> { l.writeLock().lock(); c.v = 1; l.writeLock().unlock(); }, // expect race
                    () -> { k.readLock().lock(); use(c.v); k.readLock().unlock(); }); // expect race
        });
        // In this run the write lock came later. It protects, but a read lock does not protect the write.
        races("written under the read lock, read under the write lock", () -> {
            ReadWriteLock l = new ReentrantReadWriteLock();
            Cell c = new Cell();
            inTurn(
                    () -> { l.readLock().lock(); c.v = 1; l.readLock().unlock(); }, // expect potential race
                    () -> { l.writeLock().lock(); use(c.v); l.writeLock().unlock(); }); // expect potential race
        });
        ordered("downgraded: the read lock protects what follows", () -> {
            ReentrantReadWriteLock l = new ReentrantReadWriteLock();
            Cell c = new Cell();
            inTurn(
                    () -> {
                        l.writeLock().lock();
                        c.v = 1;
                        l.readLock().lock();
                        l.writeLock().unlock();
                        use(c.v);
                        l.readLock().unlock();
                    },
                    () -> { l.writeLock().lock(); c.v++; l.writeLock().unlock(); });
        });
    }

    private static void stamped() {
        ordered("StampedLock: write, then write", () -> {
            StampedLock l = new StampedLock();
            Cell c = new Cell();
            inTurn(
                    () -> { long s = l.writeLock(); c.v = 1; l.unlockWrite(s); },
                    () -> { long s = l.tryWriteLock(); c.v++; l.unlock(s); });
        });
        ordered("StampedLock: write, then read, then write", () -> {
            StampedLock l = new StampedLock();
            Cell c = new Cell();
            inTurn(
                    () -> { long s = l.writeLock(); c.v = 1; l.unlockWrite(s); },
                    () -> { long s = l.readLock(); use(c.v); l.unlockRead(s); },
                    () -> { long s = l.writeLockInterruptibly(); c.v++; l.unlockWrite(s); });
        });
        races("StampedLock: two read locks", () -> {
            StampedLock l = new StampedLock();
            Cell c = new Cell();
            inTurn(
                    () -> { long s = l.readLock(); c.v = 1; l.unlockRead(s); }, // expect race
                    () -> { long s = l.readLock(); use(c.v); l.unlockRead(s); }); // expect race
        });
        races("two StampedLocks", () -> {
            StampedLock l = new StampedLock();
            StampedLock k = new StampedLock();
            Cell c = new Cell();
            inTurn(
                    () -> { long s = l.writeLock(); c.v = 1; l.unlockWrite(s); }, // expect race
                    () -> { long s = k.writeLock(); use(c.v); k.unlockWrite(s); }); // expect race
        });
        // "Actions prior to the most recent write mode unlock are guaranteed to happen-before those following a
        // tryOptimisticRead only if a later validate returns true."
        ordered("StampedLock: a valid optimistic read", () -> {
            StampedLock l = new StampedLock();
            Cell c = new Cell();
            inTurn(
                    () -> { long s = l.writeLock(); c.v = 1; l.unlockWrite(s); },
                    () -> { long s = l.tryOptimisticRead(); use(c.v); check(l.validate(s)); });
        });
        races("StampedLock: an optimistic read that nobody validates", () -> {
            StampedLock l = new StampedLock();
            Cell c = new Cell();
            inTurn(
                    () -> { long s = l.writeLock(); c.v = 1; l.unlockWrite(s); }, // expect race
                    () -> { l.tryOptimisticRead(); use(c.v); }); // expect race
        });
        // Nothing orders a reader before the next writer, but what such a reader may have seen is never used.
        ordered("StampedLock: a writer after a valid optimistic read", () -> {
            StampedLock l = new StampedLock();
            Cell c = new Cell();
            inTurn(
                    () -> { long s = l.tryOptimisticRead(); use(c.v); check(l.validate(s)); },
                    () -> { long s = l.writeLock(); c.v = 1; l.unlockWrite(s); });
        });
        races("StampedLock: a writer after an optimistic read that nobody validates", () -> {
            StampedLock l = new StampedLock();
            Cell c = new Cell();
            inTurn(
                    () -> { l.tryOptimisticRead(); use(c.v); }, // expect race
                    () -> { long s = l.writeLock(); c.v = 1; l.unlockWrite(s); }); // expect race
        });
        ordered("StampedLock: an optimistic read that a writer interrupts, made again under the lock", () -> {
            StampedLock l = new StampedLock();
            Cell c = new Cell();
            Stage s = new Stage();
            together(
                    () -> {
                        long stamp = l.tryOptimisticRead();
                        use(c.v);
                        s.reach(1);
                        s.await(2);
                        use(c.v);
                        check(!l.validate(stamp));
                        s.reach(3);
                        stamp = l.readLock();
                        use(c.v);
                        l.unlockRead(stamp);
                    },
                    () -> {
                        s.await(1);
                        long stamp = l.writeLock();
                        c.v = 1;
                        s.reach(2);
                        s.await(3);
                        l.unlockWrite(stamp);
                    });
        });
        ordered("StampedLock: an optimistic read turned into a read lock", () -> {
            StampedLock l = new StampedLock();
            Cell c = new Cell();
            inTurn(
                    () -> { long s = l.writeLock(); c.v = 1; l.unlockWrite(s); },
                    () -> {
                        long s = l.tryOptimisticRead();
                        use(c.v);
                        s = l.tryConvertToReadLock(s);
                        check(s != 0);
                        use(c.v);
                        l.unlockRead(s);
                    });
        });
        races("StampedLock: a valid optimistic read of what is written without the lock", () -> {
            StampedLock l = new StampedLock();
            Cell c = new Cell();
            inTurn(
                    () -> c.v = 1, // expect race
                    () -> { long s = l.tryOptimisticRead(); use(c.v); check(l.validate(s)); }); // expect race
        });
        races("StampedLock: what comes before an optimistic read, and after", () -> {
            StampedLock l = new StampedLock();
            Cell before = new Cell();
            Cell after = new Cell();
            inTurn(
                    () -> {
                        before.v = 1; // expect race
                        long s = l.tryOptimisticRead();
                        check(l.validate(s));
                        after.v = 1; // expect race
                    },
                    () -> {
                        long s = l.writeLock();
                        before.v++; // expect race
                        after.v++; // expect race
                        l.unlockWrite(s);
                    });
        });
        races("StampedLock: a tryWriteLock that failed", () -> {
            StampedLock l = new StampedLock();
            Cell c = new Cell();
            Stage s = new Stage();
            Thread holder = start(() -> {
                long stamp = l.writeLock();
                c.v = 1; // expect race
                s.reach(1);
                s.await(2);
                l.unlockWrite(stamp);
            });
            s.await(1);
            inTurn(() -> {
                check(l.tryWriteLock() == 0 && l.tryReadLock() == 0);
                use(c.v); // expect race
            });
            s.reach(2);
            Stage.ended(holder);
        });
        ordered("StampedLock: a read lock turned into the write lock", () -> {
            StampedLock l = new StampedLock();
            Cell c = new Cell();
            inTurn(
                    () -> { long s = l.readLock(); s = l.tryConvertToWriteLock(s); check(s != 0); c.v = 1; l.unlock(s); },
                    () -> { long s = l.readLock(); use(c.v); l.unlock(s); });
        });
        races("StampedLock: the write lock turned into a read lock protects no writes", () -> {
            StampedLock l = new StampedLock();
            Cell c = new Cell();
            inTurn(
                    () -> { long s = l.writeLock(); s = l.tryConvertToReadLock(s); c.v = 1; l.unlock(s); }, // expect race
                    () -> { long s = l.readLock(); use(c.v); l.unlock(s); }); // expect race
        });
        ordered("StampedLock: its views", () -> {
            StampedLock l = new StampedLock();
            Cell c = new Cell();
            inTurn(
                    () -> { l.asWriteLock().lock(); c.v = 1; l.asWriteLock().unlock(); },
                    () -> { l.asReadLock().lock(); use(c.v); l.asReadLock().unlock(); },
                    () -> { Lock w = l.asReadWriteLock().writeLock(); w.lock(); c.v++; w.unlock(); });
        });
    }
}
