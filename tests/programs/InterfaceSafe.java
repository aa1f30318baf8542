// expect none
/** Code in interfaces that locks what it touches. */
public class InterfaceSafe {
    static class Cell {
        int value;
        static int global;
    }

    interface Counting {
        Object LOCK = new Object();

        static int count(Cell cell) {
            synchronized (LOCK) {
                Cell.global++;
                return ++cell.value;
            }
        }

        default int twice(Cell cell) {
            synchronized (LOCK) {
                Cell.global += 2;
                return cell.value += hidden(cell);
            }
        }

        private int hidden(Cell cell) {
            return cell.value;
        }
    }

    static class Counter implements Counting {
    }

    public static void main(String[] args) {
        Cell cell = new Cell();
        inTurn(() -> System.out.println(Counting.count(cell)), () -> System.out.println(new Counter().twice(cell)));
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
