package rules;

import java.util.HashMap;
import java.util.Map;

/** Decisions that are taken again before anything is changed; containers. */
public class Rechecks {
    private final Map<String, String> cache = new HashMap<>();
    private Object instance;

    public synchronized Object instance() {
        return instance;
    }

    /** Asked again under the lock. */
    public Object lazily() {
        Object found = instance();
        if (found == null) {
            synchronized (this) {
                if (instance == null) {
                    instance = new Object(); // plain block-local; without re-check block-local
                }
                found = instance;
            }
        }
        return found;
    }

    /** Not asked again: to Burrows and Leino the value is a snapshot, what depends on it is not looked at. */
    public void careless() {
        Object found = instance();
        if (found == null) {
            synchronized (this) {
                instance = new Object(); // expect block-local; plain block-local
            }
        }
    }

    public String get(String key) {
        String value;
        synchronized (cache) {
            value = cache.get(key);
        }
        if (value == null) {
            String made = key.trim();
            synchronized (cache) {
                cache.put(key, made); // expect block-local; plain block-local
            }
            return made;
        }
        return value;
    }

    public String getAgain(String key) {
        String value;
        synchronized (cache) {
            value = cache.get(key);
        }
        if (value == null) {
            String made = key.trim();
            synchronized (cache) {
                value = cache.get(key);
                if (value == null) {
                    cache.put(key, made); // plain block-local; without re-check block-local
                    return made;
                }
            }
        }
        return value;
    }

    /** Taken out: nobody else has it. */
    public String take(String key) {
        String value;
        synchronized (cache) {
            value = cache.remove(key);
        }
        if (value != null) {
            synchronized (cache) {
                cache.put(value, key); // plain block-local stale-value; without hand-over block-local stale-value
            }
        }
        return value;
    }
}
