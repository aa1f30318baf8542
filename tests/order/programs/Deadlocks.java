package order;

import static order.Turns.check;
import static order.Turns.inTurn;
import static order.Turns.start;
import static order.Turns.use;

import invisible.Stage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Locks taken in two orders. The threads run one after the other, so nothing ever hangs; the lines where a thread
 * would wait for the other are marked.
 */
final class Deadlocks {
    /** A case that could deadlock under another schedule. */
    private static void deadlocks(String name, Turns.Body body) {
        Turns.races(name, body);
    }

    private static void safe(String name, Turns.Body body) {
        Turns.ordered(name, body);
    }

    static final class Account {
        synchronized void transferTo(Account other) {
            other.deposit(); // expect lock-order
        }

        synchronized void deposit() {}
    }

    static void run() {
        monitors();
        ordered();
        locks();
        tries();
        readWrite();
    }

    private static void monitors() {
        deadlocks("two monitors in two orders", () -> {
            Object a = new Object();
            Object b = new Object();
            inTurn(
                    () -> {
                        synchronized (a) {
                            synchronized (b) { // expect lock-order
                                use(a);
                            }
                        }
                    },
                    () -> {
                        synchronized (b) {
                            synchronized (a) { // expect lock-order
                                use(a);
                            }
                        }
                    });
        });
        safe("two monitors in one order", () -> {
            Object a = new Object();
            Object b = new Object();
            inTurn(
                    () -> { synchronized (a) { synchronized (b) { use(a); } } },
                    () -> { synchronized (a) { synchronized (b) { use(a); } } });
        });
        deadlocks("three monitors in a circle", () -> {
            Object a = new Object();
            Object b = new Object();
            Object c = new Object();
            inTurn(
                    () -> {
                        synchronized (a) {
                            synchronized (b) { // expect lock-order
                                use(a);
                            }
                        }
                    },
                    () -> {
                        synchronized (b) {
                            synchronized (c) { // expect lock-order
                                use(a);
                            }
                        }
                    },
                    () -> {
                        synchronized (c) {
                            synchronized (a) { // expect lock-order
                                use(a);
                            }
                        }
                    });
        });
        safe("three monitors, no circle", () -> {
            Object a = new Object();
            Object b = new Object();
            Object c = new Object();
            inTurn(
                    () -> { synchronized (a) { synchronized (b) { use(a); } } },
                    () -> { synchronized (b) { synchronized (c) { use(a); } } },
                    () -> { synchronized (a) { synchronized (c) { use(a); } } });
        });
        safe("entered again: that waits for nobody", () -> {
            Object a = new Object();
            Object b = new Object();
            inTurn(
                    () -> { synchronized (a) { synchronized (b) { synchronized (a) { use(a); } } } },
                    () -> { synchronized (a) { synchronized (b) { use(a); } } });
        });
        safe("the same code with other objects", () -> {
            Object a = new Object();
            Object b = new Object();
            Object c = new Object();
            Object d = new Object();
            inTurn(
                    () -> { synchronized (a) { synchronized (b) { use(a); } } },
                    () -> { synchronized (d) { synchronized (c) { use(a); } } });
        });
        deadlocks("synchronized methods of two objects", () -> {
            Account a = new Account();
            Account b = new Account();
            // The line marked above.
            inTurn(() -> a.transferTo(b), () -> b.transferTo(a));
        });
        safe("not nested", () -> {
            Object a = new Object();
            Object b = new Object();
            inTurn(
                    () -> { synchronized (a) { use(a); } synchronized (b) { use(b); } },
                    () -> { synchronized (b) { use(b); } synchronized (a) { use(a); } });
        });
    }

    private static void ordered() {
        safe("a gate lock around both", () -> {
            Object gate = new Object();
            Object a = new Object();
            Object b = new Object();
            inTurn(
                    () -> { synchronized (gate) { synchronized (a) { synchronized (b) { use(a); } } } },
                    () -> { synchronized (gate) { synchronized (b) { synchronized (a) { use(a); } } } });
        });
        deadlocks("two gates", () -> {
            Object gate = new Object();
            Object other = new Object();
            Object a = new Object();
            Object b = new Object();
            inTurn(
                    () -> {
                        synchronized (gate) {
                            synchronized (a) {
                                synchronized (b) { // expect lock-order
                                    use(a);
                                }
                            }
                        }
                    },
                    () -> {
                        synchronized (other) {
                            synchronized (b) {
                                synchronized (a) { // expect lock-order
                                    use(a);
                                }
                            }
                        }
                    });
        });
        safe("one thread in both orders", () -> {
            Object a = new Object();
            Object b = new Object();
            inTurn(() -> {
                synchronized (a) { synchronized (b) { use(a); } }
                synchronized (b) { synchronized (a) { use(a); } }
            });
        });
        safe("before the other thread is started", () -> {
            Object a = new Object();
            Object b = new Object();
            inTurn(() -> {
                synchronized (a) { synchronized (b) { use(a); } }
                Stage.ended(start(() -> { synchronized (b) { synchronized (a) { use(a); } } }));
            });
        });
        safe("after the other thread is joined", () -> {
            Object a = new Object();
            Object b = new Object();
            inTurn(() -> {
                start(() -> { synchronized (b) { synchronized (a) { use(a); } } }).join();
                synchronized (a) { synchronized (b) { use(a); } }
            });
        });
        deadlocks("the other thread is started, and not joined", () -> {
            Object a = new Object();
            Object b = new Object();
            inTurn(() -> {
                Thread t = start(() -> {
                    synchronized (b) {
                        synchronized (a) { // expect lock-order
                            use(a);
                        }
                    }
                });
                Stage.ended(t);
                synchronized (a) {
                    synchronized (b) { // expect lock-order
                        use(a);
                    }
                }
            });
        });
    }

    private static void locks() {
        deadlocks("ReentrantLock", () -> {
            Lock a = new ReentrantLock();
            Lock b = new ReentrantLock();
            inTurn(
                    () -> {
                        a.lock();
                        b.lock(); // expect lock-order
                        b.unlock();
                        a.unlock();
                    },
                    () -> {
                        b.lock();
                        a.lockInterruptibly(); // expect lock-order
                        a.unlock();
                        b.unlock();
                    });
        });
        safe("ReentrantLock: released before the next is taken", () -> {
            Lock a = new ReentrantLock();
            Lock b = new ReentrantLock();
            inTurn(
                    () -> { a.lock(); a.unlock(); b.lock(); b.unlock(); },
                    () -> { b.lock(); b.unlock(); a.lock(); a.unlock(); });
        });
        deadlocks("a monitor and a Lock", () -> {
            Object a = new Object();
            Lock b = new ReentrantLock();
            inTurn(
                    () -> {
                        synchronized (a) {
                            b.lock(); // expect lock-order
                            b.unlock();
                        }
                    },
                    () -> {
                        b.lock();
                        synchronized (a) { // expect lock-order
                            use(a);
                        }
                        b.unlock();
                    });
        });
        safe("hand over hand, in one order", () -> {
            Lock a = new ReentrantLock();
            Lock b = new ReentrantLock();
            Lock c = new ReentrantLock();
            inTurn(
                    () -> { a.lock(); b.lock(); a.unlock(); c.lock(); b.unlock(); c.unlock(); },
                    () -> { a.lock(); b.lock(); a.unlock(); c.lock(); b.unlock(); c.unlock(); });
        });
    }

    /** A tryLock, timed or not, gives up: no thread waits in it for ever. What it has locked is held all the same. */
    private static void tries() {
        safe("tryLock", () -> {
            Lock a = new ReentrantLock();
            Lock b = new ReentrantLock();
            inTurn(
                    () -> { a.lock(); check(b.tryLock()); b.unlock(); a.unlock(); },
                    () -> { b.lock(); check(a.tryLock(1, TimeUnit.SECONDS)); a.unlock(); b.unlock(); });
        });
        safe("tryLock in one of the two orders", () -> {
            Lock a = new ReentrantLock();
            Lock b = new ReentrantLock();
            inTurn(
                    () -> { a.lock(); check(b.tryLock(1, TimeUnit.SECONDS)); b.unlock(); a.unlock(); },
                    () -> { b.lock(); a.lock(); a.unlock(); b.unlock(); });
        });
        deadlocks("the first of two locks by tryLock", () -> {
            Lock a = new ReentrantLock();
            Lock b = new ReentrantLock();
            inTurn(
                    () -> {
                        check(a.tryLock());
                        b.lock(); // expect lock-order
                        b.unlock();
                        a.unlock();
                    },
                    () -> {
                        b.lock();
                        a.lock(); // expect lock-order
                        a.unlock();
                        b.unlock();
                    });
        });
    }

    private static void readWrite() {
        deadlocks("write locks", () -> {
            ReadWriteLock a = new ReentrantReadWriteLock();
            ReadWriteLock b = new ReentrantReadWriteLock();
            inTurn(
                    () -> {
                        a.writeLock().lock();
                        b.writeLock().lock(); // expect lock-order
                        b.writeLock().unlock();
                        a.writeLock().unlock();
                    },
                    () -> {
                        b.writeLock().lock();
                        a.writeLock().lock(); // expect lock-order
                        a.writeLock().unlock();
                        b.writeLock().unlock();
                    });
        });
        safe("read locks: they wait for no reader", () -> {
            ReadWriteLock a = new ReentrantReadWriteLock();
            ReadWriteLock b = new ReentrantReadWriteLock();
            inTurn(
                    () -> { a.readLock().lock(); b.readLock().lock(); b.readLock().unlock(); a.readLock().unlock(); },
                    () -> { b.readLock().lock(); a.readLock().lock(); a.readLock().unlock(); b.readLock().unlock(); });
        });
        deadlocks("a read lock that a writer waits for", () -> {
            ReadWriteLock a = new ReentrantReadWriteLock();
            Object b = new Object();
            inTurn(
                    () -> {
                        a.readLock().lock();
                        synchronized (b) { // expect lock-order
                            use(b);
                        }
                        a.readLock().unlock();
                    },
                    () -> {
                        synchronized (b) {
                            a.writeLock().lock(); // expect lock-order
                            a.writeLock().unlock();
                        }
                    });
        });
    }
}
