package order;

import static order.Turns.check;
import static order.Turns.inTurn;
import static order.Turns.ordered;
import static order.Turns.races;
import static order.Turns.use;

import invisible.Stage;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Timer;
import java.util.TimerTask;

/** Code that other threads of the JDK run: timers, cleaners, reference queues, shutdown hooks. */
final class Timers {
    interface Work {
        void run();
    }

    static final class Task extends TimerTask {
        final Work work;

        Task(Work work) {
            this.work = work;
        }

        @Override
        public void run() {
            work.run();
        }
    }

    static void run() {
        timers();
        queues();
        cleaners();
        hooks();
    }

    /** Timer says no more than "thread-safe"; that a task sees what preceded its scheduling is what it is for. */
    private static void timers() {
        ordered("Timer: schedule, run, and one run and the next", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            Timer timer = new Timer(true);
            inTurn(() -> {
                c.v = 1;
                timer.schedule(new Task(() -> { c.v++; s.reach(c.v); }), 0, 1);
                s.await(3);
            });
            timer.cancel();
        });
        races("Timer: written after schedule", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            Timer timer = new Timer(true);
            inTurn(() -> {
                timer.schedule(new Task(() -> {
                    s.await(1);
                    c.v++; // expect race
                    s.reach(2);
                }), 0);
                c.v = 1; // expect race
                s.reach(1);
                s.await(2);
            });
            timer.cancel();
        });
        ordered("Timer: two tasks of one timer", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            Timer timer = new Timer(true);
            inTurn(() -> {
                timer.schedule(new Task(() -> c.v = 1), 0);
                timer.schedule(new Task(() -> { c.v++; s.reach(1); }), 1);
                s.await(1);
            });
            timer.cancel();
        });
        races("Timer: cancel does not wait", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            Timer timer = new Timer(true);
            inTurn(() -> {
                timer.schedule(new Task(() -> {
                    c.v = 1; // expect race
                    s.reach(1);
                    s.await(2);
                }), 0);
                s.await(1);
                timer.cancel();
                c.v++; // expect race
                s.reach(2);
            });
        });
    }

    /** "The enqueueing of a reference happens-before the reference is removed from the queue" (java.lang.ref). */
    private static void queues() {
        ordered("ReferenceQueue: enqueue, poll", () -> {
            ReferenceQueue<Object> q = new ReferenceQueue<>();
            Reference<Object> r = new WeakReference<>(new Object(), q);
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; check(r.enqueue()); }, () -> { check(q.poll() == r); c.v++; });
        });
        ordered("ReferenceQueue: enqueue, remove", () -> {
            ReferenceQueue<Object> q = new ReferenceQueue<>();
            Reference<Object> r = new WeakReference<>(new Object(), q);
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; check(r.enqueue()); }, () -> { check(q.remove() == r); c.v++; });
        });
        races("ReferenceQueue: written after enqueue", () -> {
            ReferenceQueue<Object> q = new ReferenceQueue<>();
            Reference<Object> r = new WeakReference<>(new Object(), q);
            Cell c = new Cell();
            inTurn(
                    () -> { check(r.enqueue()); c.v = 1; }, // expect race
                    () -> { check(q.poll() == r); c.v++; }); // expect race
        });
        races("ReferenceQueue: a poll of nothing", () -> {
            ReferenceQueue<Object> q = new ReferenceQueue<>();
            Reference<Object> r = new WeakReference<>(new Object());
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; r.enqueue(); }, // expect race
                    () -> { check(q.poll() == null); c.v++; }); // expect race
        });
    }

    /** What precedes register happens-before the cleaning action, which runs in the cleaner's thread. */
    private static void cleaners() {
        Cleaner cleaner = Cleaner.create();
        ordered("Cleaner: register, the action", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            inTurn(() -> {
                c.v = 1;
                cleaner.register(new Object(), () -> { c.v++; s.reach(1); });
                System.gc();
                s.await(1);
            });
        });
        races("Cleaner: nobody waits for the action", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            inTurn(() -> {
                cleaner.register(new Object(), () -> {
                    c.v++; // expect race
                    s.reach(1);
                });
                System.gc();
                s.await(1);
                use(c.v); // expect race
            });
        });
        ordered("Cleaner: clean runs the action here", () -> {
            Cell c = new Cell();
            Object o = new Object();
            inTurn(() -> { c.v = 1; cleaner.register(o, () -> c.v++).clean(); use(c.v); });
        });
    }

    /** Hooks are started when the virtual machine ends; each is a thread. Runs after everything else. */
    private static void hooks() {
        ordered("shutdown hook: what came before addShutdownHook", () -> {
            Cell c = new Cell();
            c.v = 1;
            Runtime.getRuntime().addShutdownHook(new Thread(() -> c.v++));
        });
        races("shutdown hook: what another thread did later", () -> {
            Cell c = new Cell();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> c.v++)); // expect race
            inTurn(() -> c.v = 1); // expect race
        });
    }
}
