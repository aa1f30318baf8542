package racewire.rt;

/** Makes what belongs to volatile fields when they are first written, which constructors of many a class do. */
final class Volatiles {
    /** By the class whose code writes: where the variables of fields are. */
    private static final ClassValue<Volatiles> ALL = new ClassValue<Volatiles>() {
        @Override
        protected Volatiles computeValue(Class<?> type) {
            return new Volatiles();
        }
    };

    /** One field and the next: a class names few. */
    private static final class Known {
        final String declaring;
        final String field;
        final WordPlace place;
        final Known next;

        Known(String declaring, String field, WordPlace place, Known next) {
            this.declaring = declaring;
            this.field = field;
            this.place = place;
            this.next = next;
        }
    }

    private volatile Known first;

    private Volatiles() { }

    /** The field's variable; null if it has no room for one. */
    static SyncVar make(Object owner, Class<?> user, String declaring, String field) {
        try {
            WordPlace place = ALL.get(user).place(owner, user, declaring, field);
            return place == WordPlace.NOWHERE ? null : make(place.base == null ? owner : place.base, place.offset);
        } catch (Throwable keptQuiet) {
            return null;
        }
    }

    private WordPlace place(Object owner, Class<?> user, String declaring, String field) {
        for (Known k = first; k != null; k = k.next) {
            // As a rule the very strings: constants of the class.
            if (k.field.equals(field) && k.declaring.equals(declaring)) {
                return k.place;
            }
        }
        WordPlace place = owner == null ? WordPlace.inClass(user, declaring, field, Names.SYNC_VAR)
                : WordPlace.inInstance(owner, declaring, field, Names.SYNC_VAR);
        synchronized (this) {
            // Once more if two come at once: both places are right.
            first = new Known(declaring, field, place, first);
        }
        return place;
    }

    private static SyncVar make(Object holder, long offset) {
        SyncVar there = (SyncVar) Mem.M.getObject(holder, offset);
        if (there != null) {
            return there;
        }
        SyncVar made = new SyncVar().asFlag();
        return Mem.M.compareAndSet(holder, offset, null, made) ? made : (SyncVar) Mem.M.getObject(holder, offset);
    }
}
