package racewire.rt;

import java.util.concurrent.ConcurrentHashMap;

/** Makes what belongs to volatile fields when they are first written. */
final class Volatiles {
    /** By the class whose code writes: where the variables of fields are. */
    private static final ClassValue<ConcurrentHashMap<String, WordPlace>> PLACES =
            new ClassValue<ConcurrentHashMap<String, WordPlace>>() {
                @Override
                protected ConcurrentHashMap<String, WordPlace> computeValue(Class<?> type) {
                    return new ConcurrentHashMap<>();
                }
            };

    private Volatiles() { }

    /** The field's variable; null if it has no room for one. */
    static SyncVar make(Object owner, Class<?> user, String declaring, String field) {
        try {
            ConcurrentHashMap<String, WordPlace> places = PLACES.get(user);
            String key = declaring + '\t' + field;
            WordPlace place = places.get(key);
            if (place == null) {
                place = owner == null ? WordPlace.inClass(user, declaring, field, Names.SYNC_VAR)
                        : WordPlace.inInstance(owner, declaring, field, Names.SYNC_VAR);
                places.put(key, place);
            }
            return place == WordPlace.NOWHERE ? null : make(place.base == null ? owner : place.base, place.offset);
        } catch (Throwable keptQuiet) {
            return null;
        }
    }

    private static SyncVar make(Object holder, long offset) {
        SyncVar there = (SyncVar) Mem.M.getObject(holder, offset);
        if (there != null) {
            return there;
        }
        synchronized (PLACES) {
            SyncVar known = (SyncVar) Mem.M.getObject(holder, offset);
            if (known == null) {
                known = new SyncVar().asFlag();
                Mem.M.storeFence();
                Mem.M.putObject(holder, offset, known);
            }
            return known;
        }
    }
}
