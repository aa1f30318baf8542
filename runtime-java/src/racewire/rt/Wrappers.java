package racewire.rt;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleConsumer;
import java.util.function.DoubleFunction;
import java.util.function.DoublePredicate;
import java.util.function.DoubleSupplier;
import java.util.function.DoubleToIntFunction;
import java.util.function.DoubleToLongFunction;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.IntSupplier;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import java.util.function.LongBinaryOperator;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import java.util.function.LongToDoubleFunction;
import java.util.function.LongToIntFunction;
import java.util.function.LongUnaryOperator;
import java.util.function.ObjDoubleConsumer;
import java.util.function.ObjIntConsumer;
import java.util.function.ObjLongConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntBiFunction;
import java.util.function.ToIntFunction;
import java.util.function.ToLongBiFunction;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;

/** A {@link Wrapper} for each functional interface that tasks and functions of pipelines have. */
@SuppressWarnings({"unchecked", "rawtypes"})
final class Wrappers {
    private interface Maker {
        Wrapper make(Object lambda, Handover handover);
    }

    private static final Map<Class<?>, Maker> MAKERS = new HashMap<>();

    static {
        MAKERS.put(Runnable.class, (f, h) -> new OfRunnable((Runnable) f, h));
        MAKERS.put(Callable.class, (f, h) -> new OfCallable((Callable) f, h));
        MAKERS.put(Supplier.class, (f, h) -> new OfSupplier((Supplier) f, h));
        MAKERS.put(Function.class, (f, h) -> new OfFunction((Function) f, h));
        MAKERS.put(BiFunction.class, (f, h) -> new OfBiFunction((BiFunction) f, h));
        MAKERS.put(UnaryOperator.class, (f, h) -> new OfUnaryOperator((UnaryOperator) f, h));
        MAKERS.put(BinaryOperator.class, (f, h) -> new OfBinaryOperator((BinaryOperator) f, h));
        MAKERS.put(Consumer.class, (f, h) -> new OfConsumer((Consumer) f, h));
        MAKERS.put(BiConsumer.class, (f, h) -> new OfBiConsumer((BiConsumer) f, h));
        MAKERS.put(Predicate.class, (f, h) -> new OfPredicate((Predicate) f, h));
        MAKERS.put(BiPredicate.class, (f, h) -> new OfBiPredicate((BiPredicate) f, h));
        MAKERS.put(Comparator.class, (f, h) -> new OfComparator((Comparator) f, h));
        MAKERS.put(IntSupplier.class, (f, h) -> new OfIntSupplier((IntSupplier) f, h));
        MAKERS.put(IntFunction.class, (f, h) -> new OfIntFunction((IntFunction) f, h));
        MAKERS.put(IntConsumer.class, (f, h) -> new OfIntConsumer((IntConsumer) f, h));
        MAKERS.put(IntPredicate.class, (f, h) -> new OfIntPredicate((IntPredicate) f, h));
        MAKERS.put(IntUnaryOperator.class, (f, h) -> new OfIntUnaryOperator((IntUnaryOperator) f, h));
        MAKERS.put(IntBinaryOperator.class, (f, h) -> new OfIntBinaryOperator((IntBinaryOperator) f, h));
        MAKERS.put(ToIntFunction.class, (f, h) -> new OfToIntFunction((ToIntFunction) f, h));
        MAKERS.put(ToIntBiFunction.class, (f, h) -> new OfToIntBiFunction((ToIntBiFunction) f, h));
        MAKERS.put(ObjIntConsumer.class, (f, h) -> new OfObjIntConsumer((ObjIntConsumer) f, h));
        MAKERS.put(IntToLongFunction.class, (f, h) -> new OfIntToLongFunction((IntToLongFunction) f, h));
        MAKERS.put(IntToDoubleFunction.class, (f, h) -> new OfIntToDoubleFunction((IntToDoubleFunction) f, h));
        MAKERS.put(LongSupplier.class, (f, h) -> new OfLongSupplier((LongSupplier) f, h));
        MAKERS.put(LongFunction.class, (f, h) -> new OfLongFunction((LongFunction) f, h));
        MAKERS.put(LongConsumer.class, (f, h) -> new OfLongConsumer((LongConsumer) f, h));
        MAKERS.put(LongPredicate.class, (f, h) -> new OfLongPredicate((LongPredicate) f, h));
        MAKERS.put(LongUnaryOperator.class, (f, h) -> new OfLongUnaryOperator((LongUnaryOperator) f, h));
        MAKERS.put(LongBinaryOperator.class, (f, h) -> new OfLongBinaryOperator((LongBinaryOperator) f, h));
        MAKERS.put(ToLongFunction.class, (f, h) -> new OfToLongFunction((ToLongFunction) f, h));
        MAKERS.put(ToLongBiFunction.class, (f, h) -> new OfToLongBiFunction((ToLongBiFunction) f, h));
        MAKERS.put(ObjLongConsumer.class, (f, h) -> new OfObjLongConsumer((ObjLongConsumer) f, h));
        MAKERS.put(LongToIntFunction.class, (f, h) -> new OfLongToIntFunction((LongToIntFunction) f, h));
        MAKERS.put(LongToDoubleFunction.class, (f, h) -> new OfLongToDoubleFunction((LongToDoubleFunction) f, h));
        MAKERS.put(DoubleSupplier.class, (f, h) -> new OfDoubleSupplier((DoubleSupplier) f, h));
        MAKERS.put(DoubleFunction.class, (f, h) -> new OfDoubleFunction((DoubleFunction) f, h));
        MAKERS.put(DoubleConsumer.class, (f, h) -> new OfDoubleConsumer((DoubleConsumer) f, h));
        MAKERS.put(DoublePredicate.class, (f, h) -> new OfDoublePredicate((DoublePredicate) f, h));
        MAKERS.put(DoubleUnaryOperator.class, (f, h) -> new OfDoubleUnaryOperator((DoubleUnaryOperator) f, h));
        MAKERS.put(DoubleBinaryOperator.class, (f, h) -> new OfDoubleBinaryOperator((DoubleBinaryOperator) f, h));
        MAKERS.put(ToDoubleFunction.class, (f, h) -> new OfToDoubleFunction((ToDoubleFunction) f, h));
        MAKERS.put(ToDoubleBiFunction.class, (f, h) -> new OfToDoubleBiFunction((ToDoubleBiFunction) f, h));
        MAKERS.put(ObjDoubleConsumer.class, (f, h) -> new OfObjDoubleConsumer((ObjDoubleConsumer) f, h));
        MAKERS.put(DoubleToIntFunction.class, (f, h) -> new OfDoubleToIntFunction((DoubleToIntFunction) f, h));
        MAKERS.put(DoubleToLongFunction.class, (f, h) -> new OfDoubleToLongFunction((DoubleToLongFunction) f, h));
    }

    private Wrappers() { }

    /** The lambda itself if its interface is none of these. */
    static Object wrap(Object lambda, Handover handover) {
        Maker maker = MAKERS.get(lambda.getClass().getInterfaces()[0]);
        return maker == null ? lambda : maker.make(lambda, handover);
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
                if (result instanceof CompletionStage) {
                    handover.gaveFuture(result);
                }
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
                if (result instanceof CompletionStage) {
                    handover.gaveFuture(result);
                }
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

    private static final class OfIntSupplier extends Wrapper implements IntSupplier {
        private final IntSupplier f;

        OfIntSupplier(IntSupplier f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public int getAsInt() {
            handover.begin();
            try {
                return f.getAsInt();
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfIntFunction<R> extends Wrapper implements IntFunction<R> {
        private final IntFunction<R> f;

        OfIntFunction(IntFunction<R> f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public R apply(int v) {
            handover.begin();
            try {
                return f.apply(v);
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfIntConsumer extends Wrapper implements IntConsumer {
        private final IntConsumer f;

        OfIntConsumer(IntConsumer f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public void accept(int v) {
            handover.begin();
            try {
                f.accept(v);
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfIntPredicate extends Wrapper implements IntPredicate {
        private final IntPredicate f;

        OfIntPredicate(IntPredicate f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public boolean test(int v) {
            handover.begin();
            try {
                return f.test(v);
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfIntUnaryOperator extends Wrapper implements IntUnaryOperator {
        private final IntUnaryOperator f;

        OfIntUnaryOperator(IntUnaryOperator f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public int applyAsInt(int v) {
            handover.begin();
            try {
                return f.applyAsInt(v);
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfIntBinaryOperator extends Wrapper implements IntBinaryOperator {
        private final IntBinaryOperator f;

        OfIntBinaryOperator(IntBinaryOperator f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public int applyAsInt(int v, int w) {
            handover.begin();
            try {
                return f.applyAsInt(v, w);
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfToIntFunction<T> extends Wrapper implements ToIntFunction<T> {
        private final ToIntFunction<T> f;

        OfToIntFunction(ToIntFunction<T> f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public int applyAsInt(T t) {
            handover.begin();
            try {
                return f.applyAsInt(t);
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfToIntBiFunction<T, U> extends Wrapper implements ToIntBiFunction<T, U> {
        private final ToIntBiFunction<T, U> f;

        OfToIntBiFunction(ToIntBiFunction<T, U> f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public int applyAsInt(T t, U u) {
            handover.begin();
            try {
                return f.applyAsInt(t, u);
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfObjIntConsumer<T> extends Wrapper implements ObjIntConsumer<T> {
        private final ObjIntConsumer<T> f;

        OfObjIntConsumer(ObjIntConsumer<T> f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public void accept(T t, int v) {
            handover.begin();
            try {
                f.accept(t, v);
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfIntToLongFunction extends Wrapper implements IntToLongFunction {
        private final IntToLongFunction f;

        OfIntToLongFunction(IntToLongFunction f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public long applyAsLong(int v) {
            handover.begin();
            try {
                return f.applyAsLong(v);
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfIntToDoubleFunction extends Wrapper implements IntToDoubleFunction {
        private final IntToDoubleFunction f;

        OfIntToDoubleFunction(IntToDoubleFunction f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public double applyAsDouble(int v) {
            handover.begin();
            try {
                return f.applyAsDouble(v);
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfLongSupplier extends Wrapper implements LongSupplier {
        private final LongSupplier f;

        OfLongSupplier(LongSupplier f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public long getAsLong() {
            handover.begin();
            try {
                return f.getAsLong();
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfLongFunction<R> extends Wrapper implements LongFunction<R> {
        private final LongFunction<R> f;

        OfLongFunction(LongFunction<R> f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public R apply(long v) {
            handover.begin();
            try {
                return f.apply(v);
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfLongConsumer extends Wrapper implements LongConsumer {
        private final LongConsumer f;

        OfLongConsumer(LongConsumer f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public void accept(long v) {
            handover.begin();
            try {
                f.accept(v);
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfLongPredicate extends Wrapper implements LongPredicate {
        private final LongPredicate f;

        OfLongPredicate(LongPredicate f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public boolean test(long v) {
            handover.begin();
            try {
                return f.test(v);
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfLongUnaryOperator extends Wrapper implements LongUnaryOperator {
        private final LongUnaryOperator f;

        OfLongUnaryOperator(LongUnaryOperator f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public long applyAsLong(long v) {
            handover.begin();
            try {
                return f.applyAsLong(v);
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfLongBinaryOperator extends Wrapper implements LongBinaryOperator {
        private final LongBinaryOperator f;

        OfLongBinaryOperator(LongBinaryOperator f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public long applyAsLong(long v, long w) {
            handover.begin();
            try {
                return f.applyAsLong(v, w);
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfToLongFunction<T> extends Wrapper implements ToLongFunction<T> {
        private final ToLongFunction<T> f;

        OfToLongFunction(ToLongFunction<T> f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public long applyAsLong(T t) {
            handover.begin();
            try {
                return f.applyAsLong(t);
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfToLongBiFunction<T, U> extends Wrapper implements ToLongBiFunction<T, U> {
        private final ToLongBiFunction<T, U> f;

        OfToLongBiFunction(ToLongBiFunction<T, U> f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public long applyAsLong(T t, U u) {
            handover.begin();
            try {
                return f.applyAsLong(t, u);
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfObjLongConsumer<T> extends Wrapper implements ObjLongConsumer<T> {
        private final ObjLongConsumer<T> f;

        OfObjLongConsumer(ObjLongConsumer<T> f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public void accept(T t, long v) {
            handover.begin();
            try {
                f.accept(t, v);
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfLongToIntFunction extends Wrapper implements LongToIntFunction {
        private final LongToIntFunction f;

        OfLongToIntFunction(LongToIntFunction f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public int applyAsInt(long v) {
            handover.begin();
            try {
                return f.applyAsInt(v);
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfLongToDoubleFunction extends Wrapper implements LongToDoubleFunction {
        private final LongToDoubleFunction f;

        OfLongToDoubleFunction(LongToDoubleFunction f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public double applyAsDouble(long v) {
            handover.begin();
            try {
                return f.applyAsDouble(v);
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfDoubleSupplier extends Wrapper implements DoubleSupplier {
        private final DoubleSupplier f;

        OfDoubleSupplier(DoubleSupplier f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public double getAsDouble() {
            handover.begin();
            try {
                return f.getAsDouble();
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfDoubleFunction<R> extends Wrapper implements DoubleFunction<R> {
        private final DoubleFunction<R> f;

        OfDoubleFunction(DoubleFunction<R> f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public R apply(double v) {
            handover.begin();
            try {
                return f.apply(v);
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfDoubleConsumer extends Wrapper implements DoubleConsumer {
        private final DoubleConsumer f;

        OfDoubleConsumer(DoubleConsumer f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public void accept(double v) {
            handover.begin();
            try {
                f.accept(v);
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfDoublePredicate extends Wrapper implements DoublePredicate {
        private final DoublePredicate f;

        OfDoublePredicate(DoublePredicate f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public boolean test(double v) {
            handover.begin();
            try {
                return f.test(v);
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfDoubleUnaryOperator extends Wrapper implements DoubleUnaryOperator {
        private final DoubleUnaryOperator f;

        OfDoubleUnaryOperator(DoubleUnaryOperator f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public double applyAsDouble(double v) {
            handover.begin();
            try {
                return f.applyAsDouble(v);
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfDoubleBinaryOperator extends Wrapper implements DoubleBinaryOperator {
        private final DoubleBinaryOperator f;

        OfDoubleBinaryOperator(DoubleBinaryOperator f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public double applyAsDouble(double v, double w) {
            handover.begin();
            try {
                return f.applyAsDouble(v, w);
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfToDoubleFunction<T> extends Wrapper implements ToDoubleFunction<T> {
        private final ToDoubleFunction<T> f;

        OfToDoubleFunction(ToDoubleFunction<T> f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public double applyAsDouble(T t) {
            handover.begin();
            try {
                return f.applyAsDouble(t);
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfToDoubleBiFunction<T, U> extends Wrapper implements ToDoubleBiFunction<T, U> {
        private final ToDoubleBiFunction<T, U> f;

        OfToDoubleBiFunction(ToDoubleBiFunction<T, U> f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public double applyAsDouble(T t, U u) {
            handover.begin();
            try {
                return f.applyAsDouble(t, u);
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfObjDoubleConsumer<T> extends Wrapper implements ObjDoubleConsumer<T> {
        private final ObjDoubleConsumer<T> f;

        OfObjDoubleConsumer(ObjDoubleConsumer<T> f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public void accept(T t, double v) {
            handover.begin();
            try {
                f.accept(t, v);
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfDoubleToIntFunction extends Wrapper implements DoubleToIntFunction {
        private final DoubleToIntFunction f;

        OfDoubleToIntFunction(DoubleToIntFunction f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public int applyAsInt(double v) {
            handover.begin();
            try {
                return f.applyAsInt(v);
            } finally {
                handover.end();
            }
        }
    }

    private static final class OfDoubleToLongFunction extends Wrapper implements DoubleToLongFunction {
        private final DoubleToLongFunction f;

        OfDoubleToLongFunction(DoubleToLongFunction f, Handover handover) {
            super(f, handover);
            this.f = f;
        }

        @Override
        public long applyAsLong(double v) {
            handover.begin();
            try {
                return f.applyAsLong(v);
            } finally {
                handover.end();
            }
        }
    }
}
