package racewire.rt;

/**
 * What a thread has read last at the places of followed flows. Places are constants of the woven classes, so that equal
 * ones are the same object.
 */
final class StaleReads {
    private String[] keys = new String[8];
    private StaleVariable[] variables = new StaleVariable[8];
    private int[] versions = new int[8];
    private String[] places = new String[8];
    private String[][] stacks = new String[8][];
    private int count;

    void read(String place, StaleVariable variable, String[] stack) {
        set(slot(place), variable, variable.version, place, stack);
    }

    void forget(String key) {
        variables[slot(key)] = null;
    }

    /** What is known of {@code origin} is known of {@code key}, too. */
    void passed(String key, String origin) {
        int to = slot(key);
        int from = slot(origin);
        // The table may have grown.
        to = keys[to] == key ? to : slot(key);
        set(to, variables[from], versions[from], places[from], stacks[from]);
    }

    /** Where {@code key} is; {@link #variable} is null there if it was not read. */
    int slot(String key) {
        int mask = keys.length - 1;
        int at = key.hashCode() & mask;
        while (keys[at] != null) {
            if (keys[at] == key) {
                return at;
            }
            at = at + 1 & mask;
        }
        if (count * 2 >= keys.length) {
            grow();
            return slot(key);
        }
        count++;
        keys[at] = key;
        return at;
    }

    StaleVariable variable(int slot) {
        return variables[slot];
    }

    int version(int slot) {
        return versions[slot];
    }

    String place(int slot) {
        return places[slot];
    }

    /** Null if it was not wanted. */
    String[] stack(int slot) {
        return stacks[slot];
    }

    private void set(int slot, StaleVariable variable, int version, String place, String[] stack) {
        variables[slot] = variable;
        versions[slot] = version;
        places[slot] = place;
        stacks[slot] = stack;
    }

    private void grow() {
        String[] oldKeys = keys;
        StaleVariable[] oldVariables = variables;
        int[] oldVersions = versions;
        String[] oldPlaces = places;
        String[][] oldStacks = stacks;
        int size = oldKeys.length * 2;
        keys = new String[size];
        variables = new StaleVariable[size];
        versions = new int[size];
        places = new String[size];
        stacks = new String[size][];
        count = 0;
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != null) {
                set(slot(oldKeys[i]), oldVariables[i], oldVersions[i], oldPlaces[i], oldStacks[i]);
            }
        }
    }
}
