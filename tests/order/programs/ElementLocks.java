package order;

import static order.Turns.inTurn;
import static order.Turns.ordered;
import static order.Turns.races;
import static order.Turns.use;

import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Elements of arrays that are ordered by who comes first to a lock: by chance, unless a lock protects both accesses. */
final class ElementLocks {
    static void run() {
        chance();
        observed();
        loops();
        manyTimes();
    }

    private static void chance() {
        races("an element: the chance order of two critical sections", () -> {
            Object m = new Object();
            int[] a = new int[4];
            inTurn(
                    () -> { a[1] = 1; synchronized (m) { use(0); } }, // expect potential race
                    () -> { synchronized (m) { use(0); } use(a[1]); }); // expect potential race
        });
        ordered("an element: another one", () -> {
            Object m = new Object();
            int[] a = new int[4];
            inTurn(() -> { a[1] = 1; synchronized (m) { use(0); } }, () -> { synchronized (m) { use(0); } use(a[2]); });
        });
        ordered("an element: one lock around both", () -> {
            Object m = new Object();
            int[] a = new int[4];
            inTurn(() -> { synchronized (m) { a[1] = 1; } }, () -> { synchronized (m) { a[1] = 2; } });
        });
        races("an element: a lock each, and the chance order of a third", () -> {
            Object m = new Object();
            Object n = new Object();
            Object k = new Object();
            int[] a = new int[4];
            inTurn(
                    () -> { synchronized (m) { a[1] = 1; } synchronized (k) { use(0); } }, // expect potential race
                    () -> { synchronized (k) { use(0); } synchronized (n) { use(a[1]); } }); // expect potential race
        });
        ordered("an element: two locks each, of which one is the same", () -> {
            Object m = new Object();
            Object n = new Object();
            Object k = new Object();
            int[] a = new int[4];
            inTurn(
                    () -> { synchronized (m) { synchronized (k) { a[1] = 1; } } },
                    () -> { synchronized (n) { synchronized (k) { a[1] = 2; } } });
        });
        races("an element: the array's own monitor, then without", () -> {
            int[] a = new int[4];
            inTurn(
                    () -> { synchronized (a) { a[1] = 1; } }, // expect potential race
                    () -> { synchronized (a) { use(0); } a[1]++; }); // expect potential race
        });
        races("an element: written under the read lock, read under the write lock", () -> {
            ReadWriteLock l = new ReentrantReadWriteLock();
            int[] a = new int[4];
            inTurn(
                    () -> { l.readLock().lock(); a[1] = 1; l.readLock().unlock(); }, // expect potential race
                    () -> { l.writeLock().lock(); use(a[1]); l.writeLock().unlock(); }); // expect potential race
        });
        races("elements: arraycopy, and the chance order of two critical sections", () -> {
            Object m = new Object();
            int[] from = new int[8];
            int[] a = new int[8];
            inTurn(
                    () -> { System.arraycopy(from, 0, a, 2, 4); synchronized (m) { use(0); } }, // expect potential race
                    () -> { synchronized (m) { use(0); } a[5] = 1; }); // expect potential race
        });
        races("an element: a read, the chance order, a write", () -> {
            Object m = new Object();
            int[] a = new int[4];
            inTurn(
                    () -> { use(a[1]); synchronized (m) { use(0); } }, // expect potential race
                    () -> { synchronized (m) { use(0); } a[1] = 1; }); // expect potential race
        });
        races("an element: a read without a lock is kept beside one with", () -> {
            Object m = new Object();
            Object n = new Object();
            int[] a = new int[4];
            inTurn(
                    () -> { use(a[1]); synchronized (m) { use(0); } }, // expect potential race
                    () -> { synchronized (m) { use(0); } synchronized (n) { use(a[1]); } },
                    () -> { synchronized (m) { use(0); } synchronized (n) { a[1] = 1; } }); // expect potential race
        });
    }

    /** Who has seen what was done under the lock has come later for good. */
    private static void observed() {
        ordered("elements: a flag that is read under the lock", () -> {
            Object m = new Object();
            int[] ready = new int[1];
            int[] a = new int[4];
            inTurn(
                    () -> { a[1] = 1; synchronized (m) { ready[0] = 1; } },
                    () -> { synchronized (m) { use(ready[0]); } use(a[1]); });
        });
        races("elements: a flag that is written by both", () -> {
            Object m = new Object();
            int[] ready = new int[1];
            int[] a = new int[4];
            inTurn(
                    () -> { a[1] = 1; synchronized (m) { ready[0] = 1; } }, // expect potential race
                    () -> { synchronized (m) { ready[0] = 2; } use(a[1]); }); // expect potential race
        });
        races("elements: a flag that is read under another lock", () -> {
            Object m = new Object();
            Object n = new Object();
            int[] ready = new int[1];
            int[] a = new int[4];
            inTurn(
                    () -> {
                        a[1] = 1; // expect potential race
                        synchronized (m) {
                            ready[0] = 1; // expect potential race
                        }
                    },
                    () -> {
                        synchronized (m) { use(0); }
                        synchronized (n) {
                            use(ready[0]); // expect potential race
                        }
                        use(a[1]); // expect potential race
                    });
        });
    }

    /** What a loop does is told of later. */
    private static void loops() {
        races("elements: a loop, the chance order, a loop", () -> {
            Object m = new Object();
            int[] a = new int[1000];
            inTurn(
                    () -> { for (int i = 0; i < 500; i++) { a[i] = i; } synchronized (m) { use(0); } }, // expect potential race
                    () -> { synchronized (m) { use(0); } for (int i = 499; i < 900; i++) { use(a[i]); } }); // expect potential race
        });
        ordered("elements: a loop, the chance order, a loop elsewhere", () -> {
            Object m = new Object();
            int[] a = new int[1000];
            inTurn(
                    () -> { for (int i = 0; i < 500; i++) { a[i] = i; } synchronized (m) { use(0); } },
                    () -> { synchronized (m) { use(0); } for (int i = 500; i < 900; i++) { use(a[i]); } });
        });
        races("elements: the last of a loop under another lock", () -> {
            Object m = new Object();
            Object n = new Object();
            int[] a = new int[1000];
            inTurn(
                    () -> { synchronized (m) { use(a[899]); } }, // expect potential race
                    () -> {
                        synchronized (m) { use(0); }
                        synchronized (n) {
                            for (int i = 0; i < 900; i++) {
                                a[i] = i; // expect potential race
                            }
                        }
                    });
        });
        ordered("elements: loops under one lock", () -> {
            Object m = new Object();
            int[] a = new int[1000];
            inTurn(
                    () -> { synchronized (m) { for (int i = 0; i < 500; i++) { a[i] = i; } } },
                    () -> { synchronized (m) { for (int i = 0; i < 900; i++) { a[i] = i; } } });
        });
        races("elements: what is observed later changes nothing of what was done", () -> {
            Object m = new Object();
            int[] ready = new int[1];
            int[] a = new int[1000];
            inTurn(
                    () -> { use(a[499]); synchronized (m) { ready[0] = 1; } }, // expect potential race
                    () -> {
                        synchronized (m) {
                            for (int i = 0; i < 500; i++) {
                                a[i] = i; // expect potential race
                            }
                            use(ready[0]);
                        }
                    });
        });
    }

    /** So many that they are kept element by element. */
    private static void manyTimes() {
        races("elements: written at many times", () -> {
            Object m = new Object();
            int[] a = new int[100];
            inTurn(
                    () -> {
                        for (int i = 0; i < 40; i++) {
                            a[i] = i; // expect potential race
                            synchronized (m) { use(0); }
                        }
                    },
                    () -> { synchronized (m) { use(0); } a[20] = 1; }); // expect potential race
        });
        ordered("elements: written at many times under one lock", () -> {
            Object m = new Object();
            int[] a = new int[100];
            inTurn(
                    () -> { for (int i = 0; i < 40; i++) { synchronized (m) { a[i] = i; } } },
                    () -> { synchronized (m) { a[20] = 1; } });
        });
        races("elements: read at many times", () -> {
            Object m = new Object();
            Object n = new Object();
            int[] a = new int[100];
            inTurn(
                    () -> { for (int i = 0; i < 40; i++) { synchronized (m) { use(a[i]); } } }, // expect potential race
                    () -> { synchronized (m) { use(0); } synchronized (n) { a[20] = 1; } }); // expect potential race
        });
    }
}
