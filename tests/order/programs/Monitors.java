package order;

import static order.Turns.check;
import static order.Turns.inTurn;
import static order.Turns.ordered;
import static order.Turns.races;
import static order.Turns.start;
import static order.Turns.together;
import static order.Turns.use;

import invisible.Copying;
import invisible.Stage;
import java.util.concurrent.ConcurrentHashMap;

/** JLS 17.4.4: an unlock synchronizes with every later lock of the same monitor. */
final class Monitors {
    static final class Counter {
        int n;
        int m;
        static int all;
        static int some;

        synchronized void add() {
            n++;
        }

        synchronized int get() {
            return n;
        }

        static synchronized void addAll() {
            all++;
        }

        static synchronized void addSome() {
            some++; // expect race
        }

        synchronized void addSomeHere() {
            some++; // expect race
        }

        synchronized void fail() {
            m++;
            throw new IllegalStateException();
        }
    }

    static final class Flag {
        volatile boolean up;
    }

    static final class Copied extends Copying.Copyable {
        int n;

        /** Its monitor has been taken. */
        static Copied locked() {
            Copied made = new Copied();
            synchronized (made) {
                made.n = 1;
            }
            return made;
        }

        Copied copy() throws CloneNotSupportedException {
            return (Copied) clone();
        }
    }

    static void run() {
        ordered("both under one monitor", () -> {
            Object m = new Object();
            Cell c = new Cell();
            inTurn(
                    () -> { synchronized (m) { c.v = 1; } },
                    () -> { synchronized (m) { use(c.v); } });
        });
        races("two monitors", () -> {
            Object m = new Object();
            Object n = new Object();
            Cell c = new Cell();
            inTurn(
                    () -> { synchronized (m) { c.v = 1; } }, // expect race
                    () -> { synchronized (n) { use(c.v); } }); // expect race
        });
        races("only one locks", () -> {
            Object m = new Object();
            Cell c = new Cell();
            inTurn(
                    () -> { synchronized (m) { c.v = 1; } }, // expect race
                    () -> use(c.v)); // expect race
        });
        // The entry of a monitor and what is known of the readers of its object's fields are kept in one place.
        ordered("a monitor whose own field several threads read", () -> {
            Cell c = new Cell();
            inTurn(
                    () -> { synchronized (c) { c.v = 1; } },
                    () -> { synchronized (c) { use(c.v); } },
                    () -> { synchronized (c) { use(c.v); } },
                    () -> { synchronized (c) { c.v = 2; } });
        });
        races("the same, and one writes without it", () -> {
            Cell c = new Cell();
            inTurn(
                    () -> { synchronized (c) { c.v = 1; } }, // expect race
                    // Known to come before the next one, by what that finds.
                    () -> { synchronized (c) { use(c.v); } },
                    () -> { synchronized (c) { use(c.v); } }, // expect race
                    () -> c.v = 2); // expect race
        });
        races("a field that several threads had read before its object's monitor was ever taken", () -> {
            Cell c = new Cell();
            inTurn(
                    () -> use(c.v), // expect race
                    () -> use(c.v), // expect race
                    () -> { synchronized (c) { use(c.v); } }, // expect race
                    () -> c.v = 2); // expect race
        });
        ordered("the monitor of a copy that is its own", () -> {
            Copied original = Copied.locked();
            Copied copy = original.copy();
            Cell c = new Cell();
            inTurn(
                    () -> { synchronized (copy) { c.v = 1; } },
                    () -> { synchronized (copy) { use(c.v); } });
        });
        races("an object's monitor and that of a copy that was not seen to be made", () -> {
            Copied original = Copied.locked();
            Copied copy = (Copied) original.copied();
            Cell c = new Cell();
            inTurn(
                    () -> { synchronized (original) { c.v = 1; } }, // expect race
                    () -> { synchronized (copy) { use(c.v); } }); // expect race
        });
        races("an object's monitor and that of its copy", () -> {
            Copied original = Copied.locked();
            Copied copy = original.copy();
            Cell c = new Cell();
            inTurn(
                    () -> { synchronized (original) { c.v = 1; } }, // expect race
                    () -> { synchronized (copy) { use(c.v); } }); // expect race
        });
        // What a critical section found that another one had handed over shows which of them was first, as a whole.
        ordered("found in a map under the monitor that it was put there under, and filled afterwards", () -> {
            Object m = new Object();
            ConcurrentHashMap<String, Cell> all = new ConcurrentHashMap<>();
            inTurn(
                    () -> {
                        synchronized (m) {
                            Cell made = new Cell();
                            all.put("key", made);
                            made.v = 1;
                        }
                    },
                    () -> {
                        Cell found;
                        synchronized (m) { found = all.get("key"); }
                        use(found.v);
                    });
        });
        races("found in a map without the monitor", () -> {
            Object m = new Object();
            ConcurrentHashMap<String, Cell> all = new ConcurrentHashMap<>();
            inTurn(
                    () -> {
                        synchronized (m) {
                            Cell made = new Cell();
                            all.put("key", made);
                            made.v = 1; // expect potential race
                        }
                    },
                    () -> {
                        synchronized (m) { }
                        use(all.get("key").v); // expect potential race
                    });
        });
        ordered("read from a volatile field under the monitor that it was written under", () -> {
            Object m = new Object();
            Flag f = new Flag();
            Cell c = new Cell();
            inTurn(
                    () -> { synchronized (m) { f.up = true; c.v = 1; } },
                    () -> {
                        synchronized (m) { use(f.up ? 1 : 0); }
                        use(c.v);
                    });
        });
        // What was learned before the monitor was taken told nothing of the rest of the other's critical section.
        ordered("found in a map without the monitor, and once more under it", () -> {
            Object m = new Object();
            ConcurrentHashMap<String, Cell> all = new ConcurrentHashMap<>();
            inTurn(
                    () -> {
                        synchronized (m) {
                            Cell made = new Cell();
                            all.put("key", made);
                            made.v = 1;
                        }
                    },
                    () -> {
                        Cell found = all.get("key");
                        synchronized (m) { check(all.get("key") == found); }
                        use(found.v);
                    });
        });
        ordered("read from a volatile field that several wrote under the monitor", () -> {
            Object m = new Object();
            Flag f = new Flag();
            Cell c = new Cell();
            inTurn(
                    () -> { synchronized (m) { f.up = true; c.v = 1; } },
                    () -> { synchronized (m) { f.up = true; } },
                    () -> {
                        synchronized (m) { use(f.up ? 1 : 0); }
                        use(c.v);
                    });
        });
        races("read from a volatile field that another wrote without the monitor", () -> {
            Object m = new Object();
            Flag f = new Flag();
            Cell c = new Cell();
            inTurn(
                    () -> { synchronized (m) { c.v = 1; } }, // expect potential race
                    () -> f.up = true,
                    () -> {
                        synchronized (m) { use(f.up ? 1 : 0); }
                        use(c.v); // expect potential race
                    });
        });
        races("written to a volatile field under another monitor", () -> {
            Object m = new Object();
            Object n = new Object();
            Flag f = new Flag();
            Cell c = new Cell();
            inTurn(
                    () -> {
                        synchronized (n) { f.up = true; }
                        synchronized (m) { c.v = 1; } // expect potential race
                    },
                    () -> {
                        synchronized (m) { use(f.up ? 1 : 0); }
                        use(c.v); // expect potential race
                    });
        });
        // The lock orders them in this run, but with the threads the other way round nothing would.
        races("ordered by the chance order of two critical sections", () -> {
            Object m = new Object();
            Cell c = new Cell();
            inTurn(
                    () -> {
                        c.v = 1; // expect potential race
                        synchronized (m) { }
                    },
                    () -> {
                        synchronized (m) { }
                        use(c.v); // expect potential race
                    });
        });
        races("ordered by chance, one of the two in the critical section", () -> {
            Object m = new Object();
            Cell c = new Cell();
            inTurn(
                    () -> { synchronized (m) { c.v = 1; } }, // expect potential race
                    () -> {
                        synchronized (m) { }
                        use(c.v); // expect potential race
                    });
        });
        races("written after the unlock", () -> {
            Object m = new Object();
            Cell c = new Cell();
            inTurn(
                    () -> {
                        synchronized (m) { }
                        c.v = 1; // expect race
                    },
                    () -> {
                        synchronized (m) { }
                        use(c.v); // expect race
                    });
        });
        races("read before the lock", () -> {
            Object m = new Object();
            Cell c = new Cell();
            inTurn(
                    () -> {
                        c.v = 1; // expect race
                        synchronized (m) { }
                    },
                    () -> {
                        use(c.v); // expect race
                        synchronized (m) { }
                    });
        });
        // The second critical section reads what the first one wrote: that order is no chance.
        ordered("handed over by a flag under the monitor", () -> {
            Object m = new Object();
            Cell ready = new Cell();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; synchronized (m) { ready.v = 1; } },
                    () -> {
                        int is;
                        synchronized (m) { is = ready.v; }
                        check(is == 1);
                        use(c.v);
                    });
        });
        races("a flag under another monitor", () -> {
            Object m = new Object();
            Object n = new Object();
            Cell ready = new Cell();
            Cell c = new Cell();
            inTurn(
                    () -> {
                        c.v = 1; // expect race
                        synchronized (m) { ready.v = 1; } // expect race
                    },
                    () -> {
                        synchronized (n) { use(ready.v); } // expect race
                        use(c.v); // expect race
                    });
        });
        ordered("through a third thread", () -> {
            Object m = new Object();
            Cell c = new Cell();
            inTurn(
                    () -> { synchronized (m) { c.v = 1; } },
                    () -> { synchronized (m) { c.v++; } },
                    () -> { synchronized (m) { use(c.v); } });
        });
        ordered("through a second monitor", () -> {
            Object m = new Object();
            Object n = new Object();
            Cell c = new Cell();
            Cell d = new Cell();
            inTurn(
                    () -> { synchronized (m) { c.v = 1; } },
                    () -> { synchronized (m) { use(c.v); synchronized (n) { d.v = 1; } } },
                    () -> { synchronized (n) { use(d.v); } use(c.v); });
        });
        ordered("nested: the outer monitor", () -> {
            Object m = new Object();
            Cell c = new Cell();
            inTurn(
                    () -> { synchronized (m) { synchronized (new Object()) { c.v = 1; } } },
                    () -> { synchronized (m) { synchronized (new Object()) { use(c.v); } } });
        });
        ordered("entered twice, left twice", () -> {
            Object m = new Object();
            Cell c = new Cell();
            inTurn(
                    () -> { synchronized (m) { synchronized (m) { } c.v = 1; } },
                    () -> { synchronized (m) { synchronized (m) { } use(c.v); } });
        });
        ordered("synchronized methods of one object", () -> {
            Counter k = new Counter();
            inTurn(k::add, k::get, k::add);
        });
        ordered("a synchronized method and a block", () -> {
            Counter k = new Counter();
            inTurn(k::add, () -> { synchronized (k) { k.n++; } });
        });
        ordered("static synchronized: the class", () -> {
            inTurn(Counter::addAll, () -> { synchronized (Counter.class) { Counter.all++; } });
        });
        races("static and not static: the class and the object", () -> {
            // The two lines marked above.
            inTurn(Counter::addSome, () -> new Counter().addSomeHere());
        });
        ordered("left by an exception", () -> {
            Counter k = new Counter();
            Turns.Body failing = k::fail;
            inTurn(() -> quietly(failing), () -> { synchronized (k) { use(k.m); } });
        });
        ordered("a block left by an exception", () -> {
            Object m = new Object();
            Cell c = new Cell();
            inTurn(
                    () -> quietly(() -> { synchronized (m) { c.v = 1; throw new IllegalStateException(); } }),
                    () -> { synchronized (m) { use(c.v); } });
        });
        races("written by who caught it, outside", () -> {
            Object m = new Object();
            Cell c = new Cell();
            inTurn(
                    () -> {
                        quietly(() -> { synchronized (m) { throw new IllegalStateException(); } });
                        c.v = 1; // expect race
                    },
                    () -> { synchronized (m) { use(c.v); } }); // expect race
        });
        waiting();
    }

    private static void quietly(Turns.Body body) throws Throwable {
        try {
            body.run();
        } catch (IllegalStateException expected) {
            use(expected);
        }
    }

    /** wait() unlocks and locks again (JLS 17.2.1). Notifying orders nothing by itself. */
    private static void waiting() {
        ordered("wait and notify with a condition", () -> {
            Object m = new Object();
            Cell ready = new Cell();
            Cell c = new Cell();
            Thread waiter = start(() -> {
                synchronized (m) {
                    while (ready.v == 0) {
                        m.wait();
                    }
                }
                use(c.v);
            });
            Stage.waits(waiter);
            inTurn(() -> {
                c.v = 1;
                synchronized (m) {
                    ready.v = 1;
                    m.notifyAll();
                }
            });
            Stage.ended(waiter);
        });
        races("written after the notify, outside", () -> {
            Object m = new Object();
            Cell ready = new Cell();
            Cell c = new Cell();
            Stage s = new Stage();
            Thread waiter = start(() -> {
                synchronized (m) {
                    while (ready.v == 0) {
                        m.wait();
                    }
                }
                s.await(1);
                use(c.v); // expect race
            });
            Stage.waits(waiter);
            inTurn(() -> {
                synchronized (m) {
                    ready.v = 1;
                    m.notifyAll();
                }
                c.v = 1; // expect race
                s.reach(1);
            });
            Stage.ended(waiter);
        });
        ordered("what was written before wait() is released by it", () -> {
            Object m = new Object();
            Cell c = new Cell();
            Stage s = new Stage();
            Thread waiter = start(() -> {
                synchronized (m) {
                    c.v = 1;
                    s.reach(1);
                    m.wait();
                }
            });
            s.await(1);
            Stage.waits(waiter);
            inTurn(() -> {
                synchronized (m) {
                    use(c.v);
                    m.notify();
                }
            });
            Stage.ended(waiter);
        });
        ordered("a wait that timed out holds the monitor again", () -> {
            Object m = new Object();
            Cell c = new Cell();
            inTurn(
                    () -> { synchronized (m) { c.v = 1; } },
                    () -> { synchronized (m) { m.wait(1); use(c.v); } });
        });
        races("waiting on another monitor", () -> {
            Object m = new Object();
            Object n = new Object();
            Cell c = new Cell();
            together(() -> inTurn(
                    () -> { synchronized (m) { c.v = 1; m.notifyAll(); } }, // expect race
                    () -> { synchronized (n) { n.wait(1); use(c.v); } })); // expect race
        });
    }
}
