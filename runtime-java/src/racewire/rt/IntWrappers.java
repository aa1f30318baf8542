package racewire.rt;

import java.util.Map;
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

    static void addTo(Map<Class<?>, Wrappers.Maker> makers) {
        makers.put(IntSupplier.class, (f, h) -> new OfIntSupplier((IntSupplier) f, h));
        makers.put(IntFunction.class, (f, h) -> new OfIntFunction((IntFunction) f, h));
        makers.put(IntConsumer.class, (f, h) -> new OfIntConsumer((IntConsumer) f, h));
        makers.put(IntPredicate.class, (f, h) -> new OfIntPredicate((IntPredicate) f, h));
        makers.put(IntUnaryOperator.class, (f, h) -> new OfIntUnaryOperator((IntUnaryOperator) f, h));
        makers.put(IntBinaryOperator.class, (f, h) -> new OfIntBinaryOperator((IntBinaryOperator) f, h));
        makers.put(ToIntFunction.class, (f, h) -> new OfToIntFunction((ToIntFunction) f, h));
        makers.put(ToIntBiFunction.class, (f, h) -> new OfToIntBiFunction((ToIntBiFunction) f, h));
        makers.put(ObjIntConsumer.class, (f, h) -> new OfObjIntConsumer((ObjIntConsumer) f, h));
        makers.put(IntToLongFunction.class, (f, h) -> new OfIntToLongFunction((IntToLongFunction) f, h));
        makers.put(IntToDoubleFunction.class, (f, h) -> new OfIntToDoubleFunction((IntToDoubleFunction) f, h));
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
