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
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.CompletionHandler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Timer;
import java.util.TimerTask;

/** Code that other threads of the JDK run: timers, cleaners, reference queues, shutdown hooks, channels. */
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

    static final class Handler implements CompletionHandler<Integer, Cell> {
        final Stage s;

        Handler(Stage s) {
            this.s = s;
        }

        @Override
        public void completed(Integer count, Cell c) {
            s.await(1);
            c.v++; // expect race
            s.reach(2);
        }

        @Override
        public void failed(Throwable thrown, Cell c) {
            throw new AssertionError(thrown);
        }
    }

    static final class HandlerInOrder implements CompletionHandler<Integer, Cell> {
        final Stage s;

        HandlerInOrder(Stage s) {
            this.s = s;
        }

        @Override
        public void completed(Integer count, Cell c) {
            c.v++;
            s.reach(1);
        }

        @Override
        public void failed(Throwable thrown, Cell c) {
            throw new AssertionError(thrown);
        }
    }

    private static void channels() {
        ordered("AsynchronousFileChannel: write, its handler", () -> inTurn(() -> {
            Path file = Files.createTempFile("order", "");
            Stage s = new Stage();
            try (AsynchronousFileChannel channel = AsynchronousFileChannel.open(file, StandardOpenOption.WRITE)) {
                Cell c = new Cell();
                c.v = 1;
                channel.write(ByteBuffer.allocate(1), 0, c, new HandlerInOrder(s));
                s.await(1);
            }
            Files.delete(file);
        }));
        races("AsynchronousFileChannel: written after", () -> inTurn(() -> {
            Path file = Files.createTempFile("order", "");
            Stage s = new Stage();
            try (AsynchronousFileChannel channel = AsynchronousFileChannel.open(file, StandardOpenOption.WRITE)) {
                Cell c = new Cell();
                channel.write(ByteBuffer.allocate(1), 0, c, new Handler(s));
                c.v = 1; // expect race
                s.reach(1);
                s.await(2);
            }
            Files.delete(file);
        }));
    }

    static void run() {
        channels();
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

    /** Lives on: the garbage collector must not be first to enqueue references to it. */
    private static final Object KEPT = new Object();

    /** "The enqueueing of a reference happens-before the reference is removed from the queue" (java.lang.ref). */
    private static void queues() {
        ordered("ReferenceQueue: enqueue, poll", () -> {
            ReferenceQueue<Object> q = new ReferenceQueue<>();
            Reference<Object> r = new WeakReference<>(KEPT, q);
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; check(r.enqueue()); }, () -> { check(q.poll() == r); c.v++; });
        });
        ordered("ReferenceQueue: enqueue, remove", () -> {
            ReferenceQueue<Object> q = new ReferenceQueue<>();
            Reference<Object> r = new WeakReference<>(KEPT, q);
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; check(r.enqueue()); }, () -> { check(q.remove() == r); c.v++; });
        });
        races("ReferenceQueue: written after enqueue", () -> {
            ReferenceQueue<Object> q = new ReferenceQueue<>();
            Reference<Object> r = new WeakReference<>(KEPT, q);
            Cell c = new Cell();
            inTurn(
                    () -> { check(r.enqueue()); c.v = 1; }, // expect race
                    () -> { check(q.poll() == r); c.v++; }); // expect race
        });
        races("ReferenceQueue: a poll of nothing", () -> {
            ReferenceQueue<Object> q = new ReferenceQueue<>();
            Reference<Object> r = new WeakReference<>(KEPT);
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
        // "All the threads that are not daemon threads terminate" (JLS 12.8), and only then hooks are started.
        ordered("shutdown hook: what a thread did later that has ended", () -> {
            Cell c = new Cell();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> c.v++));
            inTurn(() -> c.v = 1);
        });
        races("shutdown hook: what a daemon did later", () -> {
            Cell c = new Cell();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> c.v++)); // expect race
            Thread t = new Thread(() -> c.v = 1); // expect race
            t.setDaemon(true);
            t.start();
            Stage.ended(t);
        });
    }
}
