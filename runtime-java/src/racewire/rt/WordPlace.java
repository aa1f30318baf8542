package racewire.rt;

import java.lang.reflect.Field;

/** Where the word of a field is: at an offset in its owner or, for a static field, in a fixed base. */
final class WordPlace {
    /** The field has no word after all (its class is not the one that was woven): not monitored. */
    static final WordPlace NOWHERE = new WordPlace(null, -1);

    /** null for an instance field. */
    final Object base;
    final long offset;

    private WordPlace(Object base, long offset) {
        this.base = base;
        this.offset = offset;
    }

    /** {@code className} declares the field; it is a superclass of {@code owner}'s class, or that class. */
    static WordPlace inInstance(Object owner, String className, String field) {
        for (Class<?> c = owner.getClass(); c != null; c = c.getSuperclass()) {
            if (c.getName().equals(className)) {
                long offset = Mem.M.offset(c, Names.wordOf(field), "J");
                return offset < 0 ? NOWHERE : new WordPlace(null, offset);
            }
        }
        return NOWHERE;
    }

    /** The class is initialized already, or being so by this thread: the trampoline has just read the word. */
    static WordPlace inClass(Class<?> user, String className, String field) {
        try {
            Class<?> c = Class.forName(className, false, user.getClassLoader());
            Field word = Native.field(c, Names.wordOf(field), "J", true);
            return word == null ? NOWHERE : new WordPlace(Mem.M.staticBase(word), Mem.M.staticOffset(word));
        } catch (ClassNotFoundException | LinkageError notVisible) {
            return NOWHERE;
        }
    }
}
