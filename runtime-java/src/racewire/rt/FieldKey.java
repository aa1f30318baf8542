package racewire.rt;

import java.lang.ref.WeakReference;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.concurrent.ConcurrentHashMap;

/** A field, as a key that is compared by identity: one object for each name, kept for good. */
final class FieldKey {
    /** By the name of the class, then by that of the field: strings that the JDK has at hand, hashed already. */
    private static final ConcurrentHashMap<String, ConcurrentHashMap<String, FieldKey>> ALL = new ConcurrentHashMap<>();

    /** The elements of whatever array; stands for handles of such. */
    static final FieldKey ELEMENTS = new FieldKey(Object.class, Names.ELEMENTS, null);

    final String owner;
    final String field;
    /** Of its type, as class files have it; null if the field was not found. */
    final String descriptor;
    final boolean isStatic;
    final boolean isVolatile;
    /** The class that was first known to have it; no class is kept because of it. */
    private final WeakReference<Class<?>> declaring;

    private FieldKey(Class<?> declaring, String field, Field known) {
        owner = declaring.getName();
        this.field = field;
        descriptor = known == null ? null : descriptor(known.getType());
        isStatic = known != null && Modifier.isStatic(known.getModifiers());
        isVolatile = known != null && Modifier.isVolatile(known.getModifiers());
        this.declaring = new WeakReference<>(declaring);
    }

    static FieldKey of(Class<?> user, String field) {
        Class<?> declaring = user;
        Field found = null;
        for (Class<?> c = user; c != null; c = c.getSuperclass()) {
            try {
                found = c.getDeclaredField(field);
                declaring = c;
                break;
            } catch (NoSuchFieldException | SecurityException higher) {
                // Perhaps the superclass has it.
            }
        }
        return of(declaring, field, found);
    }

    static FieldKey of(Field field) {
        return of(field.getDeclaringClass(), field.getName(), field);
    }

    private static FieldKey of(Class<?> declaring, String field, Field found) {
        ConcurrentHashMap<String, FieldKey> fields = ALL.get(declaring.getName());
        FieldKey known = fields == null ? null : fields.get(field);
        return known != null ? known : make(declaring, field, found);
    }

    private static FieldKey make(Class<?> declaring, String field, Field found) {
        FieldKey made = new FieldKey(declaring, field, found);
        ALL.putIfAbsent(made.owner, new ConcurrentHashMap<>());
        FieldKey known = ALL.get(made.owner).putIfAbsent(field, made);
        return known == null ? made : known;
    }

    /** What belongs to the field of {@code holder}, or to the static one, where woven code uses it as a volatile. */
    SyncVar variable(Object holder) {
        // Of other fields the name stands for their word.
        Class<?> user = !isVolatile ? null : holder == null ? declaring.get() : holder.getClass();
        return user == null ? null : Volatiles.make(holder, user, owner, field);
    }

    /** The class that declares it, for this holder; null if that has no such field, or the class is gone. */
    Class<?> declaring(Object holder) {
        if (isStatic) {
            return declaring.get();
        }
        Class<?> c = holder == null ? null : holder.getClass();
        while (c != null && !c.getName().equals(owner)) {
            c = c.getSuperclass();
        }
        return c;
    }

    /** An array's name is its element's with a bracket before it (Class.getName). */
    private static String descriptor(Class<?> type) {
        return Array.newInstance(type, 0).getClass().getName().substring(1).replace('.', '/');
    }
}
