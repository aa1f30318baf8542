package order;

import static java.util.concurrent.Executors.newThreadPerTaskExecutor;
import static order.Turns.inTurn;
import static order.Turns.ordered;
import static order.Turns.races;
import static order.Turns.use;

import invisible.Stage;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.stream.Gatherer;
import java.util.stream.Gatherers;
import java.util.stream.Stream;

/** Gatherers (JDK 24): their functions are part of a pipeline, and run by its threads or by virtual threads of their own. */
final class Gathered {
    static void run() {
        gatherers();
        executors();
    }

    private static void gatherers() {
        ordered("Gatherers.mapConcurrent: before, the mapper, the next stage, after", () -> inTurn(() -> {
            Cell c = new Cell();
            Cell last = new Cell();
            Stage s = new Stage();
            c.v = 1;
            Stream.of(1, 2).gather(Gatherers.mapConcurrent(2, i -> {
                s.meet(2);
                use(c.v);
                Cell made = new Cell();
                made.v = i;
                if (i == 2) {
                    last.v = i;
                }
                return made;
            })).forEach(made -> made.v++);
            c.v++;
            last.v++;
        }));
        races("Gatherers.mapConcurrent: one variable for all", () -> inTurn(() -> {
            Cell c = new Cell();
            Stage s = new Stage();
            use(Stream.of(1, 2).gather(Gatherers.mapConcurrent(2, i -> {
                s.meet(2);
                return ++c.v; // expect race
            })).toList());
        }));
        ordered("Gatherer.of: before, within and after", () -> {
            Cell[] cells = {new Cell(), new Cell()};
            Stage s = new Stage();
            inTurn(() -> {
                cells[0].v = 1;
                Gatherer<Cell, ?, Cell> each = Gatherer.of((state, c, out) -> { s.meet(2); c.v++; return out.push(c); });
                use(List.of(cells).parallelStream().gather(each).toList());
                cells[0].v++;
                cells[1].v++;
            });
        });
        races("Gatherer.of: one variable for all", () -> {
            Cell c = new Cell();
            Stage s = new Stage();
            inTurn(() -> {
                Gatherer<Integer, ?, Integer> each = Gatherer.of((state, i, out) -> {
                    s.meet(2);
                    c.v++; // expect race
                    return out.push(i);
                });
                use(List.of(1, 2).parallelStream().gather(each).toList());
            });
        });
        ordered("Gatherers.fold, of one thread", () -> inTurn(() -> {
            Cell c = new Cell();
            use(Stream.of(1, 2).gather(Gatherers.fold(() -> 0, (sum, i) -> sum + i + c.v++)).toList());
            c.v++;
        }));
    }

    private static void executors() {
        ordered("newThreadPerTaskExecutor: submit, get; close", () -> inTurn(() -> {
            Cell c = new Cell();
            Cell d = new Cell();
            c.v = 1;
            try (ExecutorService e = newThreadPerTaskExecutor(Thread::new)) {
                e.submit(() -> c.v++).get();
                c.v++;
                e.execute(() -> d.v = 1);
            }
            d.v++;
        }));
        races("newThreadPerTaskExecutor: two tasks", () -> inTurn(() -> {
            Cell c = new Cell();
            Stage s = new Stage();
            try (ExecutorService e = newThreadPerTaskExecutor(Thread::new)) {
                e.execute(() -> {
                    c.v = 1; // expect race
                    s.reach(1);
                });
                e.execute(() -> {
                    s.await(1);
                    c.v++; // expect race
                });
            }
        }));
    }
}
