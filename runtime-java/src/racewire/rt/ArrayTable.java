package racewire.rt;

/** The arrays of the program to what was done to their elements: many tables, as programs make arrays all the time. */
final class ArrayTable {
    private static final int PARTS = 64;
    private static final Object[] TABLES = new Object[PARTS];

    static {
        for (int i = 0; i < PARTS; i++) {
            TABLES[i] = new IdentityTable<ArrayRef>(16);
        }
    }

    private ArrayTable() { }

    @SuppressWarnings("unchecked")
    static ArrayRef of(Object array, int hash) {
        IdentityTable<ArrayRef> table = (IdentityTable<ArrayRef>) TABLES[hash & PARTS - 1];
        synchronized (table) {
            ArrayRef known = table.find(array, hash);
            if (known != null) {
                return known;
            }
            for (ArrayRef gone = table.removeDead(); gone != null; gone = table.removeDead()) {
                gone.gone();
            }
            ArrayRef made = new ArrayRef(array, hash, table.dead);
            table.add(made);
            return made;
        }
    }
}
