package racewire.rt;

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

    /** See {@link Wrappers#wrap}; null if the interface is none of these. */
    static Wrapper wrap(Class<?> type, Object f, Handover h) {
        if (type == DoubleSupplier.class) {
            return new OfDoubleSupplier((DoubleSupplier) f, h);
        }
        if (type == DoubleFunction.class) {
            return new OfDoubleFunction((DoubleFunction) f, h);
        }
        if (type == DoubleConsumer.class) {
            return new OfDoubleConsumer((DoubleConsumer) f, h);
        }
        if (type == DoublePredicate.class) {
            return new OfDoublePredicate((DoublePredicate) f, h);
        }
        if (type == DoubleUnaryOperator.class) {
            return new OfDoubleUnaryOperator((DoubleUnaryOperator) f, h);
        }
        if (type == DoubleBinaryOperator.class) {
            return new OfDoubleBinaryOperator((DoubleBinaryOperator) f, h);
        }
        if (type == ToDoubleFunction.class) {
            return new OfToDoubleFunction((ToDoubleFunction) f, h);
        }
        if (type == ToDoubleBiFunction.class) {
            return new OfToDoubleBiFunction((ToDoubleBiFunction) f, h);
        }
        if (type == ObjDoubleConsumer.class) {
            return new OfObjDoubleConsumer((ObjDoubleConsumer) f, h);
        }
        if (type == DoubleToIntFunction.class) {
            return new OfDoubleToIntFunction((DoubleToIntFunction) f, h);
        }
        if (type == DoubleToLongFunction.class) {
            return new OfDoubleToLongFunction((DoubleToLongFunction) f, h);
        }
        return null;
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
