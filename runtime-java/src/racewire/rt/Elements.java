package racewire.rt;

import java.util.Collection;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Elements of containers that hand them over from one thread to another. */
public final class Elements {
    private Elements() { }

    /** The container behind this one, if it hands elements over; else null. */
    private static Object concurrent(Object container) {
        return Containers.behind(container, ContainerClass.Kind.CONCURRENT);
    }

    /** Before {@code element} goes in. */
    public static void in(Object container, Object element) {
        Object owner = element == null ? null : concurrent(container);
        if (owner != null) {
            Sync.put(owner, element);
        }
    }

    /** After it was found there. */
    public static void out(Object container, Object element) {
        Object owner = element == null ? null : concurrent(container);
        if (owner != null) {
            found(owner, element);
        }
    }

    /** Before many elements go in at once. */
    public static void inAll(Object container, Object elements) {
        Sync.release(concurrent(container));
    }

    /** After many were taken out at once, or looked at. */
    public static void outAll(Object container) {
        Object owner = concurrent(container);
        if (owner != null) {
            try {
                SyncRef known = SyncTable.peek(owner);
                if (known != null) {
                    known.acquireElements(ThreadTable.current());
                }
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }

    /** After so many elements were moved to {@code target}. */
    static void drained(Object container, Object target, int count) {
        if (!Order.ON || count == 0) {
            return;
        }
        if (target instanceof Collection && target.getClass().getClassLoader() == null) {
            try {
                for (Object element : (Collection<?>) target) {
                    out(container, element);
                }
                return;
            } catch (Throwable changedMeanwhile) {
                // Then all of them count.
            }
        }
        outAll(container);
    }

    /** What to call for each element in place of {@code function}. */
    public static Object each(Object container, Object function) {
        Object owner = function == null ? null : concurrent(container);
        if (owner != null) {
            boolean ofOne = function instanceof Consumer || function instanceof Function || function instanceof Predicate;
            boolean ofTwo = function instanceof BiConsumer || function instanceof BiFunction;
            if (ofOne != ofTwo) {
                return ofOne ? new EachOne(owner, function) : new EachPair(owner, function);
            }
        }
        return function;
    }

    /** {@code stream} was made of {@code container}: it takes the elements when it is run, those that come until then, too. */
    public static void streamed(Object stream, Object container) {
        Object owner = stream == null ? null : concurrent(container);
        if (owner != null) {
            try {
                SyncTable.of(stream, System.identityHashCode(stream)).owner =
                        SyncTable.of(owner, System.identityHashCode(owner));
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }

    /** {@code result} has the elements of {@code stream}. */
    static void streamedOn(Object result, Object stream) {
        SyncRef known = SyncTable.peek(stream);
        if (known != null && known.owner != null) {
            SyncTable.of(result, System.identityHashCode(result)).owner = known.owner;
        }
    }

    /** What to call for each element of a stream in place of {@code function}. */
    public static Object eachOf(Object stream, Object function) {
        if (!Order.ON || stream == null
                || !(function instanceof Consumer || function instanceof Function || function instanceof Predicate)) {
            return function;
        }
        Object container = streamedOf(stream);
        return container == null ? function : new EachOne(container, function) {
            @Override
            Object give(Object result) {
                return result;
            }
        };
    }

    /** The same for a function whose results are streams, the elements of which come next. */
    public static Object eachOfStreams(Object stream, Object function) {
        return Order.ON && function instanceof Function ? new Flattened(streamedOf(stream), function) : function;
    }

    /**
     * What to put in place of a stream whose elements go on in another one, which knows nothing of the container: whoever gets
     * an element there has found it.
     */
    @SuppressWarnings("unchecked")
    public static Object followed(Object stream) {
        Object container = stream instanceof Stream ? streamedOf(stream) : null;
        return container == null ? stream : ((Stream<Object>) stream).peek(element -> found(container, element));
    }

    /** After a stream was run whose elements were given to nobody one by one. */
    public static void gathered(Object stream) {
        Object container = streamedOf(stream);
        if (container != null) {
            outAll(container);
        }
    }

    /** The container that the stream takes its elements of; null if none is known. */
    private static Object streamedOf(Object stream) {
        SyncRef known = Order.ON && stream != null ? SyncTable.peek(stream) : null;
        return known == null || known.owner == null ? null : known.owner.get();
    }

    /** What to call in place of {@code function} for the value of a key, in {@code computeIfAbsent} and the like. */
    public static Object computed(Object map, Object function) {
        Object owner = function == null ? null : concurrent(map);
        boolean ofKey = function instanceof Function;
        if (owner == null || ofKey == function instanceof BiFunction) {
            return function;
        }
        return ofKey ? new FirstValue(owner, function) : new NextValue(owner, function);
    }

    private static void found(Object container, Object element) {
        if (element instanceof Map.Entry && element.getClass().getClassLoader() == null) {
            Sync.take(container, ((Map.Entry<?, ?>) element).getKey());
            Sync.take(container, ((Map.Entry<?, ?>) element).getValue());
        }
        Sync.take(container, element);
        // What went in without being seen one by one.
        Sync.acquire(container);
    }

    private static Object made(Object container, Object element) {
        Sync.put(container, element);
        return element;
    }

    private static Object madeFor(Object container, Object key, Object value) {
        if (value != null) {
            Sync.put(container, key);
        }
        return made(container, value);
    }

    /** Called for elements of a container, may give new ones: all of them are handed over. */
    @SuppressWarnings("unchecked")
    private static class EachOne implements Consumer<Object>, UnaryOperator<Object>, Predicate<Object> {
        private final Object container;
        private final Object f;

        EachOne(Object container, Object f) {
            this.container = container;
            this.f = f;
        }

        @Override
        public void accept(Object t) {
            found(container, t);
            ((Consumer<Object>) f).accept(t);
        }

        @Override
        public Object apply(Object t) {
            found(container, t);
            return give(((Function<Object, Object>) f).apply(t));
        }

        /** What comes of an element stays in the container. */
        Object give(Object result) {
            return made(container, result);
        }

        @Override
        public boolean test(Object t) {
            found(container, t);
            return ((Predicate<Object>) f).test(t);
        }
    }

    /** Gives streams. */
    @SuppressWarnings("unchecked")
    private static final class Flattened implements Function<Object, Object> {
        /** That its argument is of, or null. */
        private final Object container;
        private final Object f;

        Flattened(Object container, Object f) {
            this.container = container;
            this.f = f;
        }

        @Override
        public Object apply(Object t) {
            if (container != null) {
                found(container, t);
            }
            return followed(((Function<Object, Object>) f).apply(t));
        }
    }

    /** The same for two at a time. */
    @SuppressWarnings("unchecked")
    private static final class EachPair implements BiConsumer<Object, Object>, BinaryOperator<Object> {
        private final Object container;
        private final Object f;

        EachPair(Object container, Object f) {
            this.container = container;
            this.f = f;
        }

        @Override
        public void accept(Object t, Object u) {
            found(container, t);
            found(container, u);
            ((BiConsumer<Object, Object>) f).accept(t, u);
        }

        @Override
        public Object apply(Object t, Object u) {
            found(container, t);
            found(container, u);
            return made(container, ((BiFunction<Object, Object, Object>) f).apply(t, u));
        }
    }

    /**
     * Called for a key that has no value yet. Only such a key goes in; the others live no longer than the call, most of them,
     * and are not worth a mark.
     */
    @SuppressWarnings("unchecked")
    private static final class FirstValue implements Function<Object, Object> {
        private final Object container;
        private final Object f;

        FirstValue(Object container, Object f) {
            this.container = container;
            this.f = f;
        }

        @Override
        public Object apply(Object key) {
            return madeFor(container, key, ((Function<Object, Object>) f).apply(key));
        }
    }

    /** Called for a key and the value it has, or null. */
    @SuppressWarnings("unchecked")
    private static final class NextValue implements BiFunction<Object, Object, Object> {
        private final Object container;
        private final Object f;

        NextValue(Object container, Object f) {
            this.container = container;
            this.f = f;
        }

        @Override
        public Object apply(Object key, Object old) {
            if (old != null) {
                found(container, old);
            }
            Object value = ((BiFunction<Object, Object, Object>) f).apply(key, old);
            return old == null ? madeFor(container, key, value) : made(container, value);
        }
    }
}
