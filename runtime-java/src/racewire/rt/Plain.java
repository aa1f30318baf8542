package racewire.rt;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.TreeMap;

/**
 * The containers that programs use most, told by their class alone: not thread-safe, no view of another one, no lock. A
 * call asks half a dozen times what its container is, and a table of classes costs more than all comparisons here.
 */
final class Plain {
    private static final Class<?> ARRAY_LIST = ifPlain(ArrayList.class);
    private static final Class<?> HASH_MAP = ifPlain(HashMap.class);
    private static final Class<?> STRING_BUILDER = ifPlain(StringBuilder.class);
    private static final Class<?> LINKED_HASH_MAP = ifPlain(LinkedHashMap.class);
    private static final Class<?> HASH_SET = ifPlain(HashSet.class);
    private static final Class<?> ARRAY_DEQUE = ifPlain(ArrayDeque.class);
    private static final Class<?> TREE_MAP = ifPlain(TreeMap.class);
    private static final Class<?> LINKED_LIST = ifPlain(LinkedList.class);

    private Plain() { }

    /** Null, which is no object's class, if the models say otherwise. */
    private static Class<?> ifPlain(Class<?> container) {
        return Containers.isPlain(container) ? container : null;
    }

    static boolean is(Object o) {
        Class<?> c = o.getClass();
        return c == ARRAY_LIST || c == HASH_MAP || c == STRING_BUILDER || c == LINKED_HASH_MAP || c == HASH_SET
                || c == ARRAY_DEQUE || c == TREE_MAP || c == LINKED_LIST;
    }
}
