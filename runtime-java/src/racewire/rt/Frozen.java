package racewire.rt;

import java.lang.reflect.Field;

/**
 * An object whose constructor has set final fields, and what its thread had done and knew at the constructor's end: who gets
 * to other objects by way of those fields sees all that (JLS 17.5.1), however the object itself was handed over.
 *
 * <p>Programs make such objects all the time, and few are handed over without order. So only the first ones of each class are
 * kept, until one of the class is seen to be: then all that are made from then on.
 */
final class Frozen extends IdentityRef {
    static final boolean ON = Order.ON;

    /** How many of a class are kept in any case. */
    static final int ENOUGH = 256;
    /** Of a class of which all are kept. */
    private static final int ALL_OF_IT = Integer.MIN_VALUE;

    private static final PartedTable<Frozen> ALL = new PartedTable<Frozen>() {
        @Override
        Frozen make(Object object, int hash) {
            return new Frozen(object, hash);
        }

        @Override
        void gone(Frozen ref) { }
    };

    /** Where a class counts those that were made; null if its constructors set no final fields that matter. */
    private static final ClassValue<Field[]> COUNTS = new ClassValue<Field[]>() {
        @Override
        protected Field[] computeValue(Class<?> type) {
            return new Field[] {Native.field(type, Names.FREEZES, "I", true)};
        }
    };

    /** The end of the latest constructor that set some of them. */
    private volatile Past end;

    private Frozen(Object object, int hash) {
        super(object, hash, null);
    }

    /** A constructor of {@code declaring} ends. */
    static void constructed(Object object, Class<?> declaring) {
        ThreadState me = ThreadTable.current();
        if (!ON || me.busy) {
            return;
        }
        Field count = COUNTS.get(declaring)[0];
        Object base = Mem.M.staticBase(count);
        long at = Mem.M.staticOffset(count);
        int made = Mem.M.getInt(base, at);
        if (made >= 0) {
            // Of two threads that come at once one may not count.
            Mem.M.putInt(base, at, made + 1);
        }
        ALL.of(object, System.identityHashCode(object)).end = me.frozen();
    }

    /** What is kept of an object, or null. */
    static Frozen of(Object object) {
        return ALL.peek(object, System.identityHashCode(object));
    }

    /** An object was handed over without order: from now on all of its class are kept. */
    static void isHandedOver(Object object) {
        for (Class<?> c = object.getClass(); c != null; c = c.getSuperclass()) {
            Field count = COUNTS.get(c)[0];
            if (count != null) {
                Mem.M.putInt(Mem.M.staticBase(count), Mem.M.staticOffset(count), ALL_OF_IT);
            }
        }
    }

    /** Whether what that thread did at that time came before the end of the constructor; {@code surely}: by no chance. */
    boolean knows(long stamp, boolean surely) {
        Past known = end;
        return known != null && known.knows(Stamps.slot(stamp), Stamps.time(stamp))
                && (!surely || known.knowsSurely(Stamps.slot(stamp), Stamps.time(stamp)));
    }

    static PartedTable<?> all() {
        return ALL;
    }
}
