/** The thread starts three calls deep in a helper class; its Runnable was made by a factory in another class. */
public class ThreadsFromBelow {
    static class Engine {
        void launch(Runnable task) throws InterruptedException {
            ignite(() -> task.run());
        }

        private void ignite(Runnable spark) throws InterruptedException {
            Thread thread = new Thread(null, spark, "engine");
            thread.setDaemon(true);
            thread.start();
            thread.join();
        }
    }

    static class Tasks {
        static Runnable increment(Cell cell) {
            return new Increment(cell);
        }
    }

    static class Increment implements Runnable {
        private final Cell cell;

        Increment(Cell cell) {
            this.cell = cell;
        }

        @Override
        public void run() {
            cell.touched++; // shared: touched
        }
    }

    static class Cell {
        int touched;
        int untouched;
    }

    public static void main(String[] args) throws Exception {
        Cell cell = new Cell();
        Cell other = new Cell();
        cell.touched = 1; // shared: touched
        new Engine().launch(Tasks.increment(cell));
        other.untouched = cell.touched; // shared: touched; local: untouched
        System.out.println(other.untouched); // local: untouched
        Tasks.increment(other);
    }
}
