package racewire.rt;

import java.util.function.LongBinaryOperator;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import java.util.function.LongToDoubleFunction;
import java.util.function.LongToIntFunction;
import java.util.function.LongUnaryOperator;
import java.util.function.ObjLongConsumer;
import java.util.function.ToLongBiFunction;
import java.util.function.ToLongFunction;

/** {@link Wrappers} for the functional interfaces about {@code long}. */
@SuppressWarnings({"unchecked", "rawtypes"})
final class LongWrappers {
    private LongWrappers() { }

    /** See {@link Wrappers#wrap}; null if the interface is none of these. */
    static Wrapper wrap(Class<?> type, Object f, Handover h) {
        if (type == LongSupplier.class) {
            return new OfLongSupplier((LongSupplier) f, h);
        }
        if (type == LongFunction.class) {
            return new OfLongFunction((LongFunction) f, h);
        }
        if (type == LongConsumer.class) {
            return new OfLongConsumer((LongConsumer) f, h);
        }
        if (type == LongPredicate.class) {
            return new OfLongPredicate((LongPredicate) f, h);
        }
        if (type == LongUnaryOperator.class) {
            return new OfLongUnaryOperator((LongUnaryOperator) f, h);
        }
        if (type == LongBinaryOperator.class) {
            return new OfLongBinaryOperator((LongBinaryOperator) f, h);
        }
        if (type == ToLongFunction.class) {
            return new OfToLongFunction((ToLongFunction) f, h);
        }
        if (type == ToLongBiFunction.class) {
            return new OfToLongBiFunction((ToLongBiFunction) f, h);
        }
        if (type == ObjLongConsumer.class) {
            return new OfObjLongConsumer((ObjLongConsumer) f, h);
        }
        if (type == LongToIntFunction.class) {
            return new OfLongToIntFunction((LongToIntFunction) f, h);
        }
        if (type == LongToDoubleFunction.class) {
            return new OfLongToDoubleFunction((LongToDoubleFunction) f, h);
        }
        return null;
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
}
