package racewire.rt;

import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleConsumer;
import java.util.function.DoubleFunction;
import java.util.function.DoublePredicate;
import java.util.function.DoubleSupplier;
import java.util.function.DoubleToIntFunction;
import java.util.function.DoubleToLongFunction;
import java.util.function.DoubleUnaryOperator;
import java.util.function.ObjDoubleConsumer;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;

/** {@link Wrappers} for the functional interfaces about {@code double}. */
@SuppressWarnings({"unchecked", "rawtypes"})
final class DoubleWrappers {
    private DoubleWrappers() { }

    static void addTo(Map<Class<?>, Wrappers.Maker> makers) {
        makers.put(DoubleSupplier.class, (f, h) -> new OfDoubleSupplier((DoubleSupplier) f, h));
        makers.put(DoubleFunction.class, (f, h) -> new OfDoubleFunction((DoubleFunction) f, h));
        makers.put(DoubleConsumer.class, (f, h) -> new OfDoubleConsumer((DoubleConsumer) f, h));
        makers.put(DoublePredicate.class, (f, h) -> new OfDoublePredicate((DoublePredicate) f, h));
        makers.put(DoubleUnaryOperator.class, (f, h) -> new OfDoubleUnaryOperator((DoubleUnaryOperator) f, h));
        makers.put(DoubleBinaryOperator.class, (f, h) -> new OfDoubleBinaryOperator((DoubleBinaryOperator) f, h));
        makers.put(ToDoubleFunction.class, (f, h) -> new OfToDoubleFunction((ToDoubleFunction) f, h));
        makers.put(ToDoubleBiFunction.class, (f, h) -> new OfToDoubleBiFunction((ToDoubleBiFunction) f, h));
        makers.put(ObjDoubleConsumer.class, (f, h) -> new OfObjDoubleConsumer((ObjDoubleConsumer) f, h));
        makers.put(DoubleToIntFunction.class, (f, h) -> new OfDoubleToIntFunction((DoubleToIntFunction) f, h));
        makers.put(DoubleToLongFunction.class, (f, h) -> new OfDoubleToLongFunction((DoubleToLongFunction) f, h));
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
