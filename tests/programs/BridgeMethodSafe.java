import java.util.function.UnaryOperator;

// expect none
/** A synchronized method behind a bridge that is not: the lock is taken once, by the real method. */
public class BridgeMethodSafe {
    interface Sink<T extends Comparable<T>> {
        T put(T value);
    }

    static class Max implements Sink<Integer>, UnaryOperator<Integer> {
        private Integer max;

        @Override
        public synchronized Integer put(Integer value) {
            if (max == null || value > max) {
                max = value;
            }
            return max;
        }

        @Override
        public synchronized Integer apply(Integer value) {
            return max += value;
        }
    }

    static <T extends Comparable<T>> T putAll(Sink<T> sink, T one, T other) {
        sink.put(one);
        return sink.put(other);
    }

    public static void main(String[] args) {
        Max max = new Max();
        UnaryOperator<Integer> add = max;
        inTurn(() -> System.out.println(putAll(max, 3, 1)), () -> System.out.println(putAll(max, 2, 7)),
            () -> System.out.println(add.apply(5)));
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
