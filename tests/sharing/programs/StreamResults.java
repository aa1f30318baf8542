import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Sequential streams that collect, flat-map and group into published collections; one result stays in main. */
public class StreamResults {
    static class Cell {
        int collected;
        int flat;
        int grouped;
        int summed;
    }

    static List<Cell> list;
    static List<Cell> flattened;
    static Map<Integer, List<Cell>> groups;

    public static void main(String[] args) throws Exception {
        Cell a = new Cell();
        Cell b = new Cell();
        list = Stream.of(a, b).filter(cell -> cell.collected == 0).toList(); // shared: list, collected
        flattened = Stream.of(List.of(a), List.of(b)).flatMap(List::stream).toList(); // shared: flattened
        groups = Stream.of(a, b).collect(Collectors.groupingBy(cell -> cell.grouped)); // shared: groups, grouped
        Thread thread = new Thread(() -> {
            list.get(0).collected++; // shared: list, collected
            flattened.get(1).flat++; // shared: flattened, flat
            groups.get(0).get(0).grouped++; // shared: groups, grouped
        });
        thread.start();
        thread.join();
        System.out.println(a.collected + b.flat + a.grouped); // shared: collected, flat, grouped
        List<Cell> own = Stream.generate(Cell::new).limit(3).peek(cell -> cell.summed = 2).toList(); // local: summed
        System.out.println(own.stream().mapToInt(cell -> cell.summed).sum()); // local: summed
    }
}
