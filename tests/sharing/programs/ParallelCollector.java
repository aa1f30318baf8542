import java.util.concurrent.ForkJoinPool;
import java.util.stream.Collector;
import java.util.stream.IntStream;

/** The containers of a parallel collect come from pool threads, are combined there, and end in main. */
public class ParallelCollector {
    static class Container {
        int sum;

        void add(int number) {
            sum += number; // shared: sum
        }

        Container combine(Container other) {
            sum += other.sum; // shared: sum
            return this;
        }
    }

    static class Total {
        int joined;
    }

    public static void main(String[] args) throws Exception {
        Collector<Integer, Container, Container> collector =
                Collector.of(Container::new, Container::add, Container::combine);
        ForkJoinPool pool = new ForkJoinPool(2);
        Container all = pool.submit(() -> IntStream.range(0, 1000).boxed().parallel().collect(collector)).get();
        pool.shutdown();
        Total total = new Total();
        total.joined = all.sum; // shared: sum; local: joined
        System.out.println(total.joined); // local: joined
    }
}
