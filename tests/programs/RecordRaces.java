/** A record has only final fields of its own, but may have mutable statics and mutable components. */
public class RecordRaces {
    static class Cell {
        int value;
    }

    record Point(int x, Cell cell) {
        static int made;

        Point {
            made++; // expect race: made
            cell.value += x; // expect race: value
        }

        int bump() {
            return cell.value++; // expect race: value
        }
    }

    public static void main(String[] args) {
        Cell cell = new Cell();
        Runnable task = () -> System.out.println(new Point(3, cell).bump());
        inTurn(task, task);
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
