package order;

import static order.Turns.inTurn;
import static order.Turns.ordered;
import static order.Turns.races;
import static order.Turns.use;

import invisible.Stage;
import java.util.concurrent.StructuredTaskScope;
import java.util.concurrent.StructuredTaskScope.Joiner;
import java.util.concurrent.StructuredTaskScope.Subtask;

/**
 * Structured concurrency, a preview in JDK 25: what precedes a fork happens-before the subtask, and what that does
 * happens-before what follows join.
 */
final class Structured {
    static void run() {
        ordered("StructuredTaskScope: fork, join", () -> inTurn(() -> {
            Cell c = new Cell();
            Cell d = new Cell();
            c.v = 1;
            try (var scope = StructuredTaskScope.open()) {
                scope.fork(() -> c.v++);
                scope.fork(() -> { d.v = 1; });
                scope.join();
                c.v++;
                d.v++;
            }
        }));
        ordered("StructuredTaskScope: what a subtask gave", () -> inTurn(() -> {
            try (var scope = StructuredTaskScope.open()) {
                Subtask<Cell> task = scope.fork(() -> {
                    Cell c = new Cell();
                    c.v = 1;
                    return c;
                });
                scope.join();
                task.get().v++;
            }
        }));
        races("StructuredTaskScope: written after fork", () -> inTurn(() -> {
            Cell c = new Cell();
            Stage s = new Stage();
            try (var scope = StructuredTaskScope.open()) {
                scope.fork(() -> {
                    s.await(1);
                    c.v++; // expect race
                });
                c.v = 1; // expect race
                s.reach(1);
                scope.join();
            }
        }));
        races("StructuredTaskScope: before join", () -> inTurn(() -> {
            Cell c = new Cell();
            Stage s = new Stage();
            try (var scope = StructuredTaskScope.open()) {
                scope.fork(() -> {
                    c.v = 1; // expect race
                    s.reach(1);
                });
                s.await(1);
                c.v++; // expect race
                scope.join();
            }
        }));
        races("StructuredTaskScope: two subtasks", () -> inTurn(() -> {
            Cell c = new Cell();
            Stage s = new Stage();
            try (var scope = StructuredTaskScope.open()) {
                scope.fork(() -> {
                    c.v = 1; // expect race
                    s.reach(1);
                });
                scope.fork(() -> {
                    s.await(1);
                    c.v++; // expect race
                });
                scope.join();
            }
        }));
        ordered("StructuredTaskScope: the first that succeeds", () -> inTurn(() -> {
            Cell c = new Cell();
            try (var scope = StructuredTaskScope.open(Joiner.<Cell>anySuccessfulResultOrThrow())) {
                scope.fork(() -> { c.v = 1; return c; });
                scope.join().v++;
            }
        }));
        ordered("ScopedValue: what a subtask inherits", () -> {
            ScopedValue<Cell> bound = ScopedValue.newInstance();
            inTurn(() -> {
                Cell c = new Cell();
                c.v = 1;
                ScopedValue.where(bound, c).run(() -> Turns.call(() -> {
                    try (var scope = StructuredTaskScope.open()) {
                        scope.fork(() -> bound.get().v++);
                        scope.join();
                    }
                    use(c.v);
                }));
            });
        });
    }

    private Structured() {}
}
