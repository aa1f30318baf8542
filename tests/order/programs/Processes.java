package order;

import static order.Turns.check;
import static order.Turns.inTurn;
import static order.Turns.ordered;
import static order.Turns.races;
import static order.Turns.use;

import invisible.Stage;
import java.beans.PropertyChangeEvent;
import java.beans.PropertyChangeListener;
import java.beans.PropertyChangeSupport;
import java.util.Observable;
import java.util.Observer;
import java.util.concurrent.TimeUnit;

/** Processes of the system, and listeners that others call. */
@SuppressWarnings("deprecation")
final class Processes {
    /** Waits for its input to end, which nobody does: it must be told. */
    private static Process cat() throws Exception {
        return new ProcessBuilder("cat").start();
    }

    static final class Listener implements PropertyChangeListener, Observer {
        int calls;

        @Override
        public void propertyChange(PropertyChangeEvent event) {
            calls++;
        }

        @Override
        public void update(Observable o, Object arg) {
            calls++;
        }
    }

    static final class LateListener implements PropertyChangeListener, Observer {
        int calls;

        @Override
        public void propertyChange(PropertyChangeEvent event) {
            calls++; // expect race
        }

        @Override
        public void update(Observable o, Object arg) {
            calls++; // expect race
        }
    }

    static final class Subject extends Observable {
        void change() {
            setChanged();
        }
    }

    static void run() {
        processes();
        exits();
        builders();
        listeners();
        locals();
    }

    private static void processes() {
        ordered("Process: destroy, waitFor", () -> {
            Process p = cat();
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; p.destroy(); }, () -> { p.waitFor(); c.v++; });
        });
        races("Process: written after destroy", () -> {
            Process p = cat();
            Cell c = new Cell();
            inTurn(
                    () -> { p.destroy(); c.v = 1; }, // expect race
                    () -> { p.waitFor(); c.v++; }); // expect race
        });
        races("Process: another process", () -> {
            Process p = cat();
            Process q = cat();
            Cell c = new Cell();
            q.destroy();
            inTurn(
                    () -> { c.v = 1; p.destroy(); }, // expect race
                    () -> { q.waitFor(); c.v++; }); // expect race
        });
        races("Process: waitFor that timed out", () -> {
            Process p = cat();
            Process q = cat();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; q.destroy(); }, // expect race
                    () -> { check(!p.waitFor(1, TimeUnit.MILLISECONDS)); c.v++; }); // expect race
            p.destroy();
        });
        races("Process: waitFor, then destroy: that way there is no edge", () -> {
            Process p = cat();
            p.destroyForcibly();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; p.waitFor(); }, // expect race
                    () -> { p.destroy(); c.v++; }); // expect race
        });
    }

    private static void exits() {
        ordered("Process: destroyForcibly, exitValue, isAlive, waitFor with a time limit", () -> {
            Process p = cat();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; p.destroyForcibly(); Stage.ended(p); },
                    () -> { use(p.exitValue()); use(c.v); },
                    () -> { check(!p.isAlive()); use(c.v); },
                    () -> { check(p.waitFor(10, TimeUnit.SECONDS)); use(c.v); });
        });
        races("Process: isAlive() said yes", () -> {
            Process p = cat();
            Process q = cat();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; q.destroy(); }, // expect race
                    () -> { check(p.isAlive()); c.v++; }); // expect race
            p.destroy();
        });
        ordered("Process: destroy, onExit", () -> {
            Process p = cat();
            Cell c = new Cell();
            inTurn(() -> { c.v = 1; p.destroy(); }, () -> { p.onExit().join(); c.v++; });
        });
        ordered("Process: destroy, what runs on exit", () -> {
            Process p = cat();
            Cell c = new Cell();
            Stage s = new Stage();
            p.onExit().thenRun(() -> { c.v++; s.reach(1); });
            inTurn(() -> { c.v = 1; p.destroy(); s.await(1); });
        });
        races("Process: what runs on exit, written after destroy", () -> {
            Process p = cat();
            Cell c = new Cell();
            Stage s = new Stage();
            p.onExit().thenRun(() -> {
                s.await(1);
                c.v++; // expect race
                s.reach(2);
            });
            inTurn(() -> {
                p.destroy();
                c.v = 1; // expect race
                s.reach(1);
                s.await(2);
            });
        });
        ordered("ProcessHandle: destroy, waitFor of the process", () -> {
            Process p = cat();
            ProcessHandle h = p.toHandle();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; h.destroy(); },
                    () -> { p.waitFor(); use(c.v); },
                    () -> { h.onExit().join(); use(c.v); });
        });
        races("ProcessHandle: another one", () -> {
            Process p = cat();
            ProcessHandle h = p.toHandle();
            ProcessHandle own = ProcessHandle.current();
            Cell c = new Cell();
            inTurn(
                    () -> { c.v = 1; h.destroy(); }, // expect race
                    () -> { check(own.isAlive()); c.v++; }); // expect race
        });
    }

    private static void builders() {
        races("ProcessBuilder: command, start", () -> {
            ProcessBuilder b = new ProcessBuilder("cat");
            inTurn(
                    () -> b.command("true"), // expect race
                    () -> b.start().waitFor()); // expect race
        });
        ordered("ProcessBuilder: command, start under a monitor", () -> {
            ProcessBuilder b = new ProcessBuilder("cat");
            inTurn(() -> { synchronized (b) { b.command("true"); } }, () -> { synchronized (b) { b.start().waitFor(); } });
        });
    }

    private static void listeners() {
        ordered("PropertyChangeSupport: add, fire", () -> {
            PropertyChangeSupport all = new PropertyChangeSupport("bean");
            inTurn(
                    () -> { Listener l = new Listener(); l.calls = 1; all.addPropertyChangeListener(l); },
                    () -> all.firePropertyChange("p", 1, 2));
        });
        races("PropertyChangeSupport: written after", () -> {
            PropertyChangeSupport all = new PropertyChangeSupport("bean");
            LateListener l = new LateListener();
            inTurn(
                    () -> { all.addPropertyChangeListener(l); l.calls = 1; }, // expect race
                    () -> all.firePropertyChange("p", 1, 2));
        });
        ordered("Observable: addObserver, notifyObservers", () -> {
            Subject all = new Subject();
            inTurn(
                    () -> { Listener l = new Listener(); l.calls = 1; all.addObserver(l); },
                    () -> { all.change(); all.notifyObservers(); });
        });
        races("Observable: written after", () -> {
            Subject all = new Subject();
            LateListener l = new LateListener();
            inTurn(
                    () -> { all.addObserver(l); l.calls = 1; }, // expect race
                    () -> { all.change(); all.notifyObservers(); });
        });
    }

    private static void locals() {
        ordered("InheritableThreadLocal: the child's value", () -> {
            InheritableThreadLocal<Cell> local = new InheritableThreadLocal<>();
            inTurn(() -> {
                Cell c = new Cell();
                c.v = 1;
                local.set(c);
                Stage.ended(Turns.start(() -> local.get().v++));
            });
        });
        races("InheritableThreadLocal: written after start", () -> {
            InheritableThreadLocal<Cell> local = new InheritableThreadLocal<>();
            inTurn(() -> {
                local.set(new Cell());
                Thread t = Turns.start(() -> local.get().v++); // expect race
                Stage.ended(t);
                local.get().v = 1; // expect race
            });
        });
    }
}
