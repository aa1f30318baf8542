package racewire.rt;

import java.util.concurrent.ConcurrentHashMap;

/** A field by its name, as a key that is compared by identity: one object for each, kept for good. */
final class FieldKey {
    private static final ConcurrentHashMap<String, FieldKey> ALL = new ConcurrentHashMap<>();

    private FieldKey() { }

    /** {@code owner} as {@link Class#getName}. */
    static FieldKey of(String owner, String field) {
        FieldKey made = new FieldKey();
        FieldKey known = ALL.putIfAbsent(owner + '\t' + field, made);
        return known == null ? made : known;
    }
}
