package racewire.rt;

import java.lang.ref.Reference;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.IdentityHashMap;

/**
 * Which objects lead to which at this moment, and whether a final field on the way makes sure that an access is seen: one of
 * an object whose constructor ended after it. Looked at only before a race would be reported.
 */
final class Reach {
    /** So many objects are looked at; what is farther away counts as not reached. */
    private static final int FAR = 2_000;

    /** Where objects of a class have references: in final fields, and in others. */
    private static final ClassValue<long[][]> REFERENCES = new ClassValue<long[][]>() {
        @Override
        protected long[][] computeValue(Class<?> type) {
            return references(type);
        }
    };

    /** An object that was come to. */
    private static final class Step {
        final Object object;
        final Step before;
        /** Whose final field is on the way; null: none that matters. */
        final Frozen by;

        Step(Object object, Step before, Frozen by) {
            this.object = object;
            this.before = before;
            this.by = by;
        }
    }

    /** The access: of which object, when; and whether chance is not enough. */
    private final Object wanted;
    private final long stamp;
    private final boolean surely;

    /** The best way to each. */
    private final IdentityHashMap<Object, Step> seen = new IdentityHashMap<>();
    private final ArrayDeque<Step> left = new ArrayDeque<>();
    /** A way without such a field. */
    private Step unsure;
    private Frozen found;

    Reach(Object wanted, long stamp, boolean surely) {
        this.wanted = wanted;
        this.stamp = stamp;
        this.surely = surely;
    }

    /** From an object that the access {@code written} handed over: the one whose final field makes sure, or null. */
    Frozen from(Object first, long written) {
        Frozen own = covering(first);
        // Not if it was handed over before its constructor had ended.
        follow(new Step(first, null, null), own == null || own.knows(written, false) ? null : own);
        for (Step s = left.poll(); s != null && found == null; s = left.poll()) {
            follow(s, s.by != null ? s.by : covering(s.object));
        }
        for (Step s = found == null ? unsure : null; s != null; s = s.before) {
            // So that it is known next time.
            Frozen.isHandedOver(s.object);
        }
        return found;
    }

    private Frozen covering(Object o) {
        Frozen own = Frozen.of(o);
        return own != null && own.knows(stamp, surely) ? own : null;
    }

    /** {@code own}: what makes sure of all behind final fields; behind others only what has made sure of this. */
    private void follow(Step s, Frozen own) {
        if (s.object instanceof Object[]) {
            for (Object element : (Object[]) s.object) {
                see(element, s, s.by);
            }
            return;
        }
        long[][] all = REFERENCES.get(s.object.getClass());
        for (int kind = 0; kind < all.length; kind++) {
            for (long at : all[kind]) {
                see(Mem.M.getObject(s.object, at), s, kind == 0 ? own : s.by);
            }
        }
    }

    private void see(Object o, Step before, Frozen by) {
        if (o == null || !leadsOn(o)) {
            return;
        }
        if (o == wanted) {
            found = found == null ? by : found;
            unsure = unsure == null ? new Step(o, before, by) : unsure;
            return;
        }
        Step known = seen.get(o);
        if (seen.size() < FAR && (known == null || known.by == null && by != null)) {
            Step step = new Step(o, before, by);
            seen.put(o, step);
            left.add(step);
        }
    }

    /** Not what belongs to everybody. */
    private static boolean leadsOn(Object o) {
        return !(o instanceof String || o instanceof Class || o instanceof ClassLoader || o instanceof Thread
                || o instanceof Reference);
    }

    private static long[][] references(Class<?> type) {
        long[][] all = {Past.NOTHING, Past.NOTHING};
        for (Class<?> c = type; c != null; c = c.getSuperclass()) {
            for (Field field : Native.fields(c)) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.getType().isPrimitive()
                        && !field.getName().startsWith(Names.PREFIX)) {
                    int kind = Modifier.isFinal(field.getModifiers()) ? 0 : 1;
                    all[kind] = Arrays.copyOf(all[kind], all[kind].length + 1);
                    all[kind][all[kind].length - 1] = Mem.M.fieldOffset(field);
                }
            }
        }
        return all;
    }
}
