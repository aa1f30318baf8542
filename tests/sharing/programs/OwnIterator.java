import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Iterators of the program, driven by a for-each loop and by JDK code (addAll, forEach); one of them leaks. */
public class OwnIterator {
    static class Cell {
        int value;
    }

    static Cell leaked;

    static class LeakyRange implements Iterable<Cell> {
        int produced;

        @Override
        public Iterator<Cell> iterator() {
            return new Iterator<>() {
                int index;

                @Override
                public boolean hasNext() {
                    return index < 2; // local: index
                }

                @Override
                public Cell next() {
                    index++; // local: index
                    produced++; // shared: produced
                    Cell cell = new Cell();
                    leaked = cell; // shared: leaked
                    return cell;
                }
            };
        }
    }

    static class CalmRange implements Iterable<Cell>, Iterator<Cell> {
        int left;

        @Override
        public Iterator<Cell> iterator() {
            left = 2; // local: left
            return this;
        }

        @Override
        public boolean hasNext() {
            return left > 0; // local: left
        }

        @Override
        public Cell next() {
            left--; // local: left
            return new Cell();
        }
    }

    public static void main(String[] args) throws Exception {
        LeakyRange range = new LeakyRange();
        for (Cell cell : range) {
            cell.value = 1;
        }
        range.forEach(cell -> cell.value += 3); // shared: value
        List<Cell> copied = new ArrayList<>();
        copied.addAll(new AbstractList<>() {
            @Override
            public Cell get(int i) {
                leaked.value++; // shared: leaked, value
                return leaked; // shared: leaked
            }

            @Override
            public int size() {
                return 1;
            }
        });
        Thread thread = new Thread(() -> {
            leaked.value++; // shared: leaked, value
            range.produced++; // shared: produced
        });
        thread.start();
        thread.join();
        System.out.println(copied.get(0).value); // shared: value
        for (Cell cell : new CalmRange()) {
            cell.value++; // local: value
        }
    }
}
