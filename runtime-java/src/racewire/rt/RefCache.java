package racewire.rt;

/** The entries of an {@link IdentityTable} that a thread used last: direct-mapped, begins small, grows while it misses. */
final class RefCache<R extends IdentityRef> {
    /** Never filled. */
    private static final IdentityRef[] NONE = {null};
    private static final int FIRST = 16;
    private static final int MAX = 1 << 10;

    private final int max;
    private IdentityRef[] entries = NONE;
    private int misses;

    RefCache() {
        this(MAX);
    }

    /** {@code max}: a power of two. */
    RefCache(int max) {
        this.max = max;
    }

    /** The entry of {@code object}, or null. */
    @SuppressWarnings("unchecked")
    R get(Object object, int hash) {
        IdentityRef[] e = entries;
        IdentityRef ref = e[hash & e.length - 1];
        return ref != null && ref.get() == object ? (R) ref : null;
    }

    /** After a miss; {@code ref} may be null. */
    R put(int hash, R ref) {
        if (entries.length == 1 || ++misses > entries.length && entries.length < max) {
            misses = 0;
            entries = new IdentityRef[Math.max(FIRST, entries.length * 4)];
        }
        entries[hash & entries.length - 1] = ref;
        return ref;
    }

    /** Its thread has ended. */
    void clear() {
        entries = NONE;
    }

    /** See {@link IdentityRef#letGo}. */
    void letGo() {
        IdentityRef.letGo(entries);
    }
}
