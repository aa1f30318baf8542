package racewire.rt;

import java.util.function.IntBinaryOperator;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.IntSupplier;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntToLongFunction;
import java.util.function.IntUnaryOperator;
import java.util.function.ObjIntConsumer;
import java.util.function.ToIntBiFunction;
import java.util.function.ToIntFunction;

/** {@link Wrappers} for the functional interfaces about {@code int}. */
@SuppressWarnings({"unchecked", "rawtypes"})
final class IntWrappers {
    private IntWrappers() { }

    /** See {@link Wrappers#wrap}; null if the interface is none of these. */
    static Wrapper wrap(Class<?> type, Object f, Handover h) {
        if (type == IntSupplier.class) {
            return new OfIntSupplier((IntSupplier) f, h);
        }
        if (type == IntFunction.class) {
            return new OfIntFunction((IntFunction) f, h);
        }
        if (type == IntConsumer.class) {
            return new OfIntConsumer((IntConsumer) f, h);
        }
        if (type == IntPredicate.class) {
            return new OfIntPredicate((IntPredicate) f, h);
        }
        if (type == IntUnaryOperator.class) {
            return new OfIntUnaryOperator((IntUnaryOperator) f, h);
        }
        if (type == IntBinaryOperator.class) {
            return new OfIntBinaryOperator((IntBinaryOperator) f, h);
        }
        if (type == ToIntFunction.class) {
            return new OfToIntFunction((ToIntFunction) f, h);
        }
        if (type == ToIntBiFunction.class) {
            return new OfToIntBiFunction((ToIntBiFunction) f, h);
        }
        if (type == ObjIntConsumer.class) {
            return new OfObjIntConsumer((ObjIntConsumer) f, h);
        }
        if (type == IntToLongFunction.class) {
            return new OfIntToLongFunction((IntToLongFunction) f, h);
        }
        if (type == IntToDoubleFunction.class) {
            return new OfIntToDoubleFunction((IntToDoubleFunction) f, h);
        }
        return null;
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
}
