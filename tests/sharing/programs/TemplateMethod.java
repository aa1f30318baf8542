/** A template method of an abstract class whose hook leaks in one subclass and keeps everything in the other. */
public class TemplateMethod {
    static Cell leaked;

    static class Cell {
        int value;
        int kept;
    }

    abstract static class Leaking {
        Cell make() {
            Cell cell = new Cell();
            cell.value = 1; // shared: value
            hook(cell);
            return cell;
        }

        abstract void hook(Cell cell);
    }

    static class Leaky extends Leaking {
        @Override
        void hook(Cell cell) {
            leaked = cell; // shared: leaked
        }
    }

    abstract static class Keeping {
        int steps;

        Cell make() {
            Cell cell = new Cell();
            hook(cell);
            steps++; // local: steps
            return cell;
        }

        abstract void hook(Cell cell);
    }

    static class Calm extends Keeping {
        @Override
        void hook(Cell cell) {
            cell.kept++; // local: kept
            steps++; // local: steps
        }
    }

    public static void main(String[] args) throws Exception {
        Cell cell = new Leaky().make();
        Thread thread = new Thread(() -> leaked.value++); // shared: leaked, value
        thread.start();
        thread.join();
        System.out.println(cell.value); // shared: value
        Keeping calm = new Calm();
        System.out.println(calm.make().kept); // local: kept
        System.out.println(calm.steps); // local: steps
    }
}
