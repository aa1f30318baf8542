package racewire.rt;

import java.lang.ref.ReferenceQueue;

/** Objects of the program to what is kept of them: many tables, since programs make such objects all the time. */
abstract class PartedTable<R extends IdentityRef> {
    private static final int PARTS = 64;
    private final Object[] parts = new Object[PARTS];

    PartedTable() {
        for (int i = 0; i < PARTS; i++) {
            parts[i] = new IdentityTable<R>(16);
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
            removeDead(table);
            R made = make(object, hash, table.dead);
            table.add(made);
            return made;
        }
    }

    abstract R make(Object object, int hash, ReferenceQueue<Object> dead);

    /** Its object is no more. */
    abstract void gone(R ref);

    @SuppressWarnings("unchecked")
    private IdentityTable<R> part(int hash) {
        return (IdentityTable<R>) parts[hash & PARTS - 1];
    }

    private boolean removeDead(IdentityTable<R> table) {
        R dead = table.removeDead();
        boolean found = dead != null;
        for (; dead != null; dead = table.removeDead()) {
            gone(dead);
        }
        return found;
    }

    /** Takes out the entries of objects that are gone; whether there were any. */
    final boolean sweep() {
        boolean found = false;
        for (int i = 0; i < PARTS; i++) {
            found |= removeDead(part(i));
        }
        return found;
    }
}
