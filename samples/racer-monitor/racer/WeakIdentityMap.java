package racer;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/** Values by the identity of objects; an entry goes with its object. For one thread at a time. */
final class WeakIdentityMap<V> {
    private final Map<Key, V> values = new HashMap<>();
    private final ReferenceQueue<Object> dead = new ReferenceQueue<>();

    V get(Object object, Supplier<V> make) {
        for (Reference<?> key = dead.poll(); key != null; key = dead.poll()) {
            values.remove(key);
        }
        Key key = new Key(object, dead);
        V value = values.get(key);
        if (value == null) {
            value = make.get();
            values.put(key, value);
        }
        return value;
    }

    private static final class Key extends WeakReference<Object> {
        private final int hash;

        Key(Object object, ReferenceQueue<Object> dead) {
            super(object, dead);
            hash = System.identityHashCode(object);
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(Object other) {
            Object mine = get();
            return this == other || mine != null && other instanceof Key && ((Key) other).get() == mine;
        }
    }
}
