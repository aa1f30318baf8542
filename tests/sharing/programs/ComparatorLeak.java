import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.ArrayList;
import java.util.PriorityQueue;
import java.util.TreeSet;

/** A Comparator that keeps its arguments, and a compareTo that gives this away, both called by JDK code. */
public class ComparatorLeak {
    static Cell kept;
    static Item last;

    static class Cell {
        int size;
    }

    static class Keeping implements Comparator<Cell> {
        @Override
        public int compare(Cell a, Cell b) {
            kept = a; // shared: kept
            return Integer.compare(a.size, b.size); // shared: size
        }
    }

    static class Item implements Comparable<Item> {
        int weight;

        @Override
        public int compareTo(Item other) {
            last = other; // shared: last
            return weight - other.weight; // shared: weight
        }
    }

    static class Plain implements Comparable<Plain> {
        int rank;

        @Override
        public int compareTo(Plain other) {
            return rank - other.rank; // local: rank
        }
    }

    public static void main(String[] args) throws Exception {
        List<Cell> cells = new ArrayList<>(List.of(new Cell(), new Cell()));
        cells.sort(new Keeping());
        PriorityQueue<Item> queue = new PriorityQueue<>(List.of(new Item(), new Item()));
        Thread thread = new Thread(() -> {
            kept.size++; // shared: kept, size
            last.weight++; // shared: last, weight
        });
        thread.start();
        thread.join();
        for (Cell cell : cells) {
            System.out.println(cell.size); // shared: size
        }
        System.out.println(queue.poll().weight + queue.poll().weight); // shared: weight
        Plain plain = new Plain();
        plain.rank = 3; // local: rank
        List<Plain> plains = new ArrayList<>(List.of(plain, new Plain()));
        Collections.sort(plains);
        new TreeSet<>(plains).first().rank++; // local: rank
        System.out.println(plains.get(1).rank); // local: rank
    }
}
