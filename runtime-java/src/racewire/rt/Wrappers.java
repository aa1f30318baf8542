package racewire.rt;

import java.util.Comparator;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** A {@link Wrapper} for each functional interface that tasks and functions of pipelines have. */
@SuppressWarnings({"unchecked", "rawtypes"})
final class Wrappers {
    private Wrappers() { }

    /** By a proxy if its interface is none of these. */
    static Object wrap(Object lambda, Handover handover) {
        Class<?> type = lambda.getClass().getInterfaces()[0];
        Wrapper wrapper = wrap(type, lambda, handover);
        if (wrapper == null) {
            wrapper = IntWrappers.wrap(type, lambda, handover);
        }
        if (wrapper == null) {
            wrapper = LongWrappers.wrap(type, lambda, handover);
        }
        if (wrapper == null) {
            wrapper = DoubleWrappers.wrap(type, lambda, handover);
        }
        return wrapper != null ? wrapper : Proxied.wrap(lambda, handover);
    }

    // Lambdas in a map would be shorter to write, but a JVM takes a millisecond for each of them when it starts.
    private static Wrapper wrap(Class<?> type, Object f, Handover h) {
        if (type == Runnable.class) {
            return new OfRunnable((Runnable) f, h);
        }
        if (type == Callable.class) {
            return new OfCallable((Callable) f, h);
        }
        if (type == Supplier.class) {
            return new OfSupplier((Supplier) f, h);
        }
        if (type == Function.class) {
            return new OfFunction((Function) f, h);
        }
        if (type == BiFunction.class) {
            return new OfBiFunction((BiFunction) f, h);
        }
        if (type == UnaryOperator.class) {
            return new OfUnaryOperator((UnaryOperator) f, h);
        }
        if (type == BinaryOperator.class) {
            return new OfBinaryOperator((BinaryOperator) f, h);
        }
        if (type == Consumer.class) {
            return new OfConsumer((Consumer) f, h);
        }
        if (type == BiConsumer.class) {
            return new OfBiConsumer((BiConsumer) f, h);
        }
        if (type == Predicate.class) {
            return new OfPredicate((Predicate) f, h);
        }
        if (type == BiPredicate.class) {
            return new OfBiPredicate((BiPredicate) f, h);
        }
        if (type == Comparator.class) {
            return new OfComparator((Comparator) f, h);
        }
        return null;
    }

    private static final class OfRunnable extends Wrapper implements Runnable {
        private final Runnable f;

        OfRunnable(Runnable f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public void run() {
            handover.begin();
            try {
                f.run();
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfCallable<T> extends Wrapper implements Callable<T> {
        private final Callable<T> f;

        OfCallable(Callable<T> f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public T call() throws Exception {
            handover.begin();
            try {
                return f.call();
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfSupplier<T> extends Wrapper implements Supplier<T> {
        private final Supplier<T> f;

        OfSupplier(Supplier<T> f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public T get() {
            handover.begin();
            try {
                return f.get();
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfFunction<T, R> extends Wrapper implements Function<T, R> {
        private final Function<T, R> f;

        OfFunction(Function<T, R> f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public R apply(T t) {
            handover.begin();
            try {
                R result = f.apply(t);
                handover.gave(result);
                return result;
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfBiFunction<T, U, R> extends Wrapper implements BiFunction<T, U, R> {
        private final BiFunction<T, U, R> f;

        OfBiFunction(BiFunction<T, U, R> f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public R apply(T t, U u) {
            handover.begin();
            try {
                R result = f.apply(t, u);
                handover.gave(result);
                return result;
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfUnaryOperator<T> extends Wrapper implements UnaryOperator<T> {
        private final UnaryOperator<T> f;

        OfUnaryOperator(UnaryOperator<T> f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public T apply(T t) {
            handover.begin();
            try {
                return f.apply(t);
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfBinaryOperator<T> extends Wrapper implements BinaryOperator<T> {
        private final BinaryOperator<T> f;

        OfBinaryOperator(BinaryOperator<T> f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public T apply(T t, T u) {
            handover.begin();
            try {
                return f.apply(t, u);
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfConsumer<T> extends Wrapper implements Consumer<T> {
        private final Consumer<T> f;

        OfConsumer(Consumer<T> f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public void accept(T t) {
            handover.begin();
            try {
                f.accept(t);
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfBiConsumer<T, U> extends Wrapper implements BiConsumer<T, U> {
        private final BiConsumer<T, U> f;

        OfBiConsumer(BiConsumer<T, U> f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public void accept(T t, U u) {
            handover.begin();
            try {
                f.accept(t, u);
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfPredicate<T> extends Wrapper implements Predicate<T> {
        private final Predicate<T> f;

        OfPredicate(Predicate<T> f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public boolean test(T t) {
            handover.begin();
            try {
                return f.test(t);
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfBiPredicate<T, U> extends Wrapper implements BiPredicate<T, U> {
        private final BiPredicate<T, U> f;

        OfBiPredicate(BiPredicate<T, U> f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public boolean test(T t, U u) {
            handover.begin();
            try {
                return f.test(t, u);
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfComparator<T> extends Wrapper implements Comparator<T> {
        private final Comparator<T> f;

        OfComparator(Comparator<T> f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public int compare(T t, T u) {
            handover.begin();
            try {
                return f.compare(t, u);
            } finally {
                handover.end();
            }
        }
    }
}
