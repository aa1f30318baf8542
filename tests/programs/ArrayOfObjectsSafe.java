// expect none
/** Each thread has its own object of a shared array. */
public class ArrayOfObjectsSafe {
    static class Cell {
        int value;
        Cell[] next;
    }

    static void touch(Cell[] cells, int mine) {
        cells[mine].value++;
        cells[mine].next = new Cell[] {cells[mine]};
        cells[mine].next[0].value += 2;
        System.out.println(cells[mine].value);
    }

    public static void main(String[] args) {
        Cell[] cells = {new Cell(), new Cell(), null};
        inTurn(() -> touch(cells, 0), () -> touch(cells, 1), () -> {
            cells[2] = new Cell();
            touch(cells, 2);
        });
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
