package racewire.rt;

/** Objects of the program to what is kept of them: many tables, since programs make such objects all the time. */
abstract class PartedTable<R extends IdentityRef> implements GenerationTable.Mourner<R> {
    private static final int PARTS = 64;
    private final Object[] parts = new Object[PARTS];

    PartedTable() {
        for (int i = 0; i < PARTS; i++) {
            parts[i] = new GenerationTable<R>();
        }
    }

    /** The entry of {@code object}, made if need be. */
    final R of(Object object, int hash) {
        GenerationTable<R> table = part(hash);
        R seen = table.glimpse(object, hash);
        if (seen != null) {
            return seen;
        }
        Background.begin();
        synchronized (table) {
            R known = table.find(object, hash);
            if (known != null) {
                return known;
            }
            R made = make(object, hash);
            table.add(made, this);
            return made;
        }
    }

    /** The same if there is one, else null. */
    final R peek(Object object, int hash) {
        GenerationTable<R> table = part(hash);
        synchronized (table) {
            return table.find(object, hash);
        }
    }

    abstract R make(Object object, int hash);

    @SuppressWarnings("unchecked")
    private GenerationTable<R> part(int hash) {
        return (GenerationTable<R>) parts[hash & PARTS - 1];
    }

    /** There was a collection: entries of objects that are gone leave. */
    final void collected() {
        for (int i = 0; i < PARTS; i++) {
            part(i).collected(this);
        }
    }
}
