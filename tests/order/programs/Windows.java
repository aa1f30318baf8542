package order;

import static order.Turns.inTurn;
import static order.Turns.ordered;
import static order.Turns.races;
import static order.Turns.use;

import invisible.Stage;
import java.awt.EventQueue;
import java.awt.event.ActionEvent;
import java.awt.event.ActionListener;
import java.util.List;
import javax.swing.SwingUtilities;
import javax.swing.SwingWorker;
import javax.swing.Timer;

/** One thread handles all events; others hand their work to it, and it hands work to them (SwingWorker). No display needed. */
final class Windows {
    static final class Ticks implements ActionListener {
        final Stage s;
        int ticks;

        Ticks(Stage s) {
            this.s = s;
        }

        @Override
        public void actionPerformed(ActionEvent e) {
            ticks++;
            s.reach(ticks);
        }
    }

    static final class Work extends SwingWorker<Integer, Integer> {
        final Cell c;
        final Stage s;
        int begun;

        Work(Cell c, Stage s) {
            this.c = c;
            this.s = s;
        }

        @Override
        protected Integer doInBackground() {
            begun++;
            c.v = 1;
            publish(1);
            return begun;
        }

        @Override
        protected void process(List<Integer> parts) {
            use(c.v);
        }

        @Override
        protected void done() {
            begun++;
            c.v++;
            s.reach(1);
        }
    }

    static final class EagerWork extends SwingWorker<Integer, Integer> {
        final Cell c;
        final Stage s;

        EagerWork(Cell c, Stage s) {
            this.c = c;
            this.s = s;
        }

        @Override
        protected Integer doInBackground() {
            publish(1);
            c.v = 1; // expect race
            s.reach(1);
            s.await(2);
            return 1;
        }

        @Override
        protected void process(List<Integer> parts) {
            s.await(1);
            use(c.v); // expect race
            s.reach(2);
        }
    }

    static void run() {
        System.setProperty("java.awt.headless", "true");
        events();
        timers();
        workers();
    }

    private static void events() {
        ordered("invokeLater", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            inTurn(() -> { c.v = 1; SwingUtilities.invokeLater(() -> { c.v++; s.reach(1); }); s.await(1); });
        });
        races("invokeLater: nobody waits", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            inTurn(() -> {
                EventQueue.invokeLater(() -> {
                    c.v++; // expect race
                    s.reach(1);
                });
                s.await(1);
                c.v++; // expect race
            });
        });
        ordered("invokeLater: two tasks of one thread", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            inTurn(
                    () -> EventQueue.invokeLater(() -> c.v = 1),
                    () -> { EventQueue.invokeLater(() -> { c.v++; s.reach(1); }); s.await(1); });
        });
        ordered("invokeAndWait", () -> {
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; EventQueue.invokeAndWait(() -> c.v++); c.v++; });
        });
        races("invokeAndWait: somebody else's", () -> {
            Cell c = new Cell();
            inTurn(
                    () -> EventQueue.invokeAndWait(() -> c.v++), // expect race
                    () -> c.v++); // expect race
        });
    }

    private static void timers() {
        ordered("javax.swing.Timer: start, the action, one and the next", () -> {
            Stage s = new Stage();
            inTurn(() -> {
                Ticks ticks = new Ticks(s);
                Timer timer = new Timer(1, ticks);
                ticks.ticks = 1;
                timer.start();
                s.await(4);
                timer.stop();
            });
        });
        races("javax.swing.Timer: written after start", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            inTurn(() -> {
                Timer timer = new Timer(1, e -> {
                    s.await(1);
                    c.v++; // expect race
                    s.reach(2);
                });
                timer.setRepeats(false);
                timer.start();
                c.v = 1; // expect race
                s.reach(1);
                s.await(2);
            });
        });
    }

    private static void workers() {
        ordered("SwingWorker: execute, doInBackground, publish and process, done", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            inTurn(() -> {
                Work work = new Work(c, s);
                work.begun = 1;
                work.execute();
                s.await(1);
            });
        });
        ordered("SwingWorker: get", () -> {
            Cell c = new Cell();
            inTurn(() -> {
                SwingWorker<Integer, Void> work = new SwingWorker<>() {
                    @Override
                    protected Integer doInBackground() {
                        return ++c.v;
                    }
                };
                c.v = 1;
                work.execute();
                use(work.get());
                c.v++;
            });
        });
        races("SwingWorker: written after publish", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            inTurn(() -> { new EagerWork(c, s).execute(); s.await(2); });
        });
        races("SwingWorker: nobody gets", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            inTurn(() -> {
                new SwingWorker<Integer, Void>() {
                    @Override
                    protected Integer doInBackground() {
                        c.v++; // expect race
                        s.reach(1);
                        return 1;
                    }
                }.execute();
                s.await(1);
                c.v++; // expect race
            });
        });
    }
}
