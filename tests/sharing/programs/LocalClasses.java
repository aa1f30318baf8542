import java.util.function.UnaryOperator;

/** Local records, enums and interfaces inside a method, with an object that one of them passes to a thread. */
public class LocalClasses {
    static class Cell {
        int value;
        int routed;
    }

    public static void main(String[] args) throws Exception {
        Cell cell = new Cell();
        record Envelope(Cell cell, int to) {
        }
        enum Route implements UnaryOperator<Cell> {
            FAST;

            int used;

            @Override
            public Cell apply(Cell it) {
                used++; // shared: used
                it.routed++; // shared: routed
                return it;
            }
        }
        interface Post {
            void send(Envelope envelope) throws InterruptedException;
        }
        class Local implements Post {
            @Override
            public void send(Envelope envelope) throws InterruptedException {
                Thread thread = new Thread(() -> Route.FAST.apply(envelope.cell()).value++); // shared: value
                thread.start();
                thread.join();
            }
        }
        new Local().send(new Envelope(cell, 1));
        Route.FAST.apply(cell);
        System.out.println(cell.value + cell.routed); // shared: value, routed
        Envelope kept = new Envelope(new Cell(), 2);
        kept.cell().value += 3; // local: value
        System.out.println(kept.cell().value); // local: value
    }
}
