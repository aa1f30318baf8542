package racewire.rt;

/** Objects of the program to what is kept of them: many tables, since programs make such objects all the time. */
abstract class PartedTable<R extends IdentityRef> {
    private static final int PARTS = 64;
    private final Object[] parts = new Object[PARTS];

    PartedTable() {
        for (int i = 0; i < PARTS; i++) {
            parts[i] = new IdentityTable<R>(16, null);
        }
    }

    /** The entry of {@code object}, made if need be. */
    final R of(Object object, int hash) {
        R seen = part(hash).glimpse(object, hash);
        return seen != null ? seen : find(object, hash);
    }

    /** The same if there is one, else null. */
    final R peek(Object object, int hash) {
        return part(hash).find(object, hash);
    }

    private R find(Object object, int hash) {
        if (OutOfLine.NEVER) {
            OutOfLine.fill(999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999,
                    999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999);
        }
        Background.begin();
        IdentityTable<R> table = part(hash);
        synchronized (table) {
            R known = table.find(object, hash);
            if (known != null) {
                return known;
            }
            if (table.isFull()) {
                removeGone(table);
                table.growIfHalfFull();
            }
            R made = make(object, hash);
            table.add(made);
            return made;
        }
    }

    abstract R make(Object object, int hash);

    /** Its object is no more. */
    abstract void gone(R ref);

    @SuppressWarnings("unchecked")
    private IdentityTable<R> part(int hash) {
        return (IdentityTable<R>) parts[hash & PARTS - 1];
    }

    private void removeGone(IdentityTable<R> table) {
        for (int from = 0; from >= 0;) {
            from = table.removeGone(from, this);
        }
    }

    /** Takes out those of the latest entries whose objects are gone. */
    final void sweepLatest() {
        for (int i = 0; i < PARTS; i++) {
            part(i).removeGoneOfLatest(this);
        }
    }

    /** Takes out the entries of objects that are gone; how many buckets were looked through. */
    final int sweep() {
        int looked = 0;
        for (int i = 0; i < PARTS; i++) {
            IdentityTable<R> table = part(i);
            looked += table.length();
            removeGone(table);
        }
        return looked;
    }
}
