package racewire.rt;

import java.lang.ref.WeakReference;
import java.util.concurrent.ConcurrentHashMap;

/** A field, as a key that is compared by identity: one object for each name, kept for good. */
final class FieldKey {
    private static final ConcurrentHashMap<String, FieldKey> ALL = new ConcurrentHashMap<>();

    private final String owner;
    private final String field;
    /** The class that was first known to have it; no class is kept because of it. */
    private final WeakReference<Class<?>> declaring;

    private FieldKey(Class<?> declaring, String field) {
        owner = declaring.getName();
        this.field = field;
        this.declaring = new WeakReference<>(declaring);
    }

    static FieldKey of(Class<?> user, String field) {
        Class<?> declaring = user;
        for (Class<?> c = user; c != null; c = c.getSuperclass()) {
            try {
                c.getDeclaredField(field);
                declaring = c;
                break;
            } catch (NoSuchFieldException | SecurityException higher) {
                // Perhaps the superclass has it.
            }
        }
        FieldKey made = new FieldKey(declaring, field);
        FieldKey known = ALL.putIfAbsent(made.owner + '\t' + field, made);
        return known == null ? made : known;
    }

    /** What belongs to the field of {@code holder}, or to the static one, where woven code uses it as a volatile. */
    SyncVar variable(Object holder) {
        Class<?> user = holder == null ? declaring.get() : holder.getClass();
        return user == null ? null : Volatiles.make(holder, user, owner, field);
    }
}
