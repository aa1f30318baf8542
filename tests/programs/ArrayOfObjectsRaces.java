/** The fields of objects in arrays (elements themselves are no fields), and references to arrays that are fields. */
public class ArrayOfObjectsRaces {
    static class Cell {
        int value;
        Cell[] next;
    }

    public static void main(String[] args) {
        Cell[] cells = {new Cell(), new Cell()};
        Cell[][] grid = {cells, {new Cell()}};
        Runnable task = () -> {
            cells[0].value++; // expect race: value
            grid[0][1].value += 2; // expect race: value
            grid[1][0].next = cells; // expect race: next
            grid[1][0].next[1].value += 4; // expect race: next, value
        };
        inTurn(task, task);
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
