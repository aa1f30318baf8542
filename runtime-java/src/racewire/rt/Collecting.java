package racewire.rt;

import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collector;

/** The collector of a pipeline, whose functions several threads may run. */
public final class Collecting implements Collector<Object, Object, Object> {
    private final Collector<Object, Object, Object> collector;
    private final Handover handover;

    private Collecting(Collector<Object, Object, Object> collector, Handover handover) {
        this.collector = collector;
        this.handover = handover;
    }

    /** What to collect with in place of {@code collector}. */
    @SuppressWarnings("unchecked")
    public static Object wrap(Object collector, Object token) {
        return token == null || collector == null ? collector
                : new Collecting((Collector<Object, Object, Object>) collector, (Handover) token);
    }

    @Override
    public Supplier<Object> supplier() {
        Supplier<Object> f = collector.supplier();
        return () -> {
            handover.begin();
            try {
                return f.get();
            } finally {
                handover.end();
            }
        };
    }

    @Override
    public BiConsumer<Object, Object> accumulator() {
        BiConsumer<Object, Object> f = collector.accumulator();
        return (a, t) -> {
            handover.begin();
            try {
                f.accept(a, t);
            } finally {
                handover.end();
            }
        };
    }

    @Override
    public BinaryOperator<Object> combiner() {
        BinaryOperator<Object> f = collector.combiner();
        return (a, b) -> {
            handover.combine();
            try {
                return f.apply(a, b);
            } finally {
                handover.end();
            }
        };
    }

    @Override
    public Function<Object, Object> finisher() {
        Function<Object, Object> f = collector.finisher();
        return a -> {
            handover.combine();
            return f.apply(a);
        };
    }

    @Override
    public Set<Characteristics> characteristics() {
        return collector.characteristics();
    }
}
