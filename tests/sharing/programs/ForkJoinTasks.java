import java.util.concurrent.CountedCompleter;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.RecursiveTask;

/** A RecursiveTask, a RecursiveAction and a CountedCompleter run in a ForkJoinPool; main reads what they wrote. */
public class ForkJoinTasks {
    static class Frame {
        int depth;
    }

    static class Sum extends RecursiveTask<Integer> {
        private static final long serialVersionUID = 1;
        final int from;
        final int to;
        int partial;

        Sum(int from, int to) {
            this.from = from;
            this.to = to;
        }

        @Override
        protected Integer compute() {
            Frame frame = new Frame();
            frame.depth = to - from; // local: depth
            if (frame.depth <= 1) { // local: depth
                partial = from;
            } else {
                Sum left = new Sum(from, (from + to) / 2);
                Sum right = new Sum((from + to) / 2, to);
                left.fork();
                partial = right.compute() + left.join(); // shared: partial
            }
            return partial; // shared: partial
        }
    }

    static class Action extends RecursiveAction {
        private static final long serialVersionUID = 1;
        int acted;

        @Override
        protected void compute() {
            acted++; // shared: acted
        }
    }

    static class Completer extends CountedCompleter<Void> {
        private static final long serialVersionUID = 1;
        int completed;

        @Override
        public void compute() {
            completed++; // shared: completed
            tryComplete();
        }

        @Override
        public void onCompletion(CountedCompleter<?> caller) {
            completed++; // shared: completed
        }
    }

    static class Total {
        int sum;
    }

    public static void main(String[] args) throws Exception {
        ForkJoinPool pool = new ForkJoinPool(2);
        Sum sum = new Sum(0, 16);
        Action action = new Action();
        Completer completer = new Completer();
        Total total = new Total();
        total.sum += pool.submit(sum).get(); // local: sum
        pool.submit(action).get();
        pool.submit(completer).get();
        total.sum += sum.partial; // shared: partial; local: sum
        total.sum += action.acted; // shared: acted; local: sum
        total.sum += completer.completed; // shared: completed; local: sum
        pool.shutdown();
        System.out.println(total.sum); // local: sum
    }
}
