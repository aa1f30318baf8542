/** Code in interfaces (static, default, private methods, lambdas) that touches fields of classes. */
public class InterfaceRaces {
    static class Cell {
        int value;
        static int global;
    }

    interface Counting {
        Object LOCK = new Object();

        static void count(Cell cell) {
            cell.value++; // expect race: value
            Cell.global++; // expect race: global
        }

        default void twice(Cell cell) {
            cell.value += 2; // expect race: value
            Runnable inner = () -> Cell.global += 2; // expect race: global
            inner.run();
            hidden(cell);
        }

        private void hidden(Cell cell) {
            synchronized (LOCK) {
                cell.hashCode();
            }
            cell.value += 4; // expect race: value
        }
    }

    static class Counter implements Counting {
    }

    public static void main(String[] args) {
        Cell cell = new Cell();
        inTurn(() -> Counting.count(cell), () -> new Counter().twice(cell), () -> Counting.count(cell));
        System.out.println("done");
    }

    /** One thread per task, each after the end of the one before, without anything that orders them. */
    static void inTurn(Runnable... tasks) {
        for (Runnable task : tasks) {
            Thread thread = new Thread(task);
            thread.start();
            finish(thread);
        }
    }

    /** Unlike join() this is no synchronization (JLS 17.4.5), for whatever detector. */
    static void finish(Thread thread) {
        while (thread.getState() != Thread.State.TERMINATED) {
            Thread.yield();
        }
    }
}
