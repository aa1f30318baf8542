import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** hashCode and equals, called by a HashMap or a List, give this away. */
public class HashCodeLeak {
    static Key hashed;
    static Key compared;

    static class Key {
        int fromHash;
        int fromEquals;

        @Override
        public int hashCode() {
            hashed = this; // shared: hashed
            return 1;
        }

        @Override
        public boolean equals(Object other) {
            compared = this; // shared: compared
            return other instanceof Key;
        }
    }

    static class Good {
        int hashes;

        @Override
        public int hashCode() {
            return hashes++ * 0 + 1; // local: hashes
        }

        @Override
        public boolean equals(Object other) {
            return other == this;
        }
    }

    public static void main(String[] args) throws Exception {
        Key key = new Key();
        Map<Key, String> map = new HashMap<>();
        map.put(key, "a");
        Key equal = new Key();
        List.of(new Key()).contains(equal);
        Key third = new Key();
        Objects.hash(third);
        Key leaked = hashed; // shared: hashed
        hashed = key; // shared: hashed
        Thread thread = new Thread(() -> {
            hashed.fromHash++; // shared: hashed, fromHash
            compared.fromEquals++; // shared: compared, fromEquals
            leaked.fromHash++; // shared: fromHash
        });
        thread.start();
        thread.join();
        System.out.println(key.fromHash); // shared: fromHash
        System.out.println(equal.fromEquals); // shared: fromEquals
        System.out.println(third.fromHash); // shared: fromHash
        Set<Good> set = new HashSet<>();
        Good good = new Good();
        set.add(good);
        set.contains(good);
        System.out.println(good.hashes); // local: hashes
    }
}
