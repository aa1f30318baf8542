package racewire.rt;

import java.lang.reflect.Field;

/**
 * Where the state of a field is: its word and, for happens-before, its stamps, at offsets in its owner or, for a static
 * field, in a fixed base.
 */
final class WordPlace {
    /** The field has no word after all (its class is not the one that was woven): not monitored. */
    static final WordPlace NOWHERE = new WordPlace(null, null, null, -1, -1, -1, -1);

    /** In a {@link ContainerState}. */
    static final WordPlace OF_CONTAINER = new WordPlace(null, FieldSites.OF_CONTAINERS, null, stateOffset("word", "J"),
            stateOffset("writes", "J"), stateOffset("reads", "J"), stateOffset("readers", Names.READERS_TYPE));

    /** null if that is not known. */
    private final Class<?> declaredIn;
    /** Which site of the field has which ordinal. */
    final FieldSites sites;
    /** null for an instance field. */
    final Object base;
    final long offset;
    /** Of the stamps of its last write and read, and of the object's {@link Readers}; -1 if there are none. */
    final long writes;
    final long reads;
    final long readers;
    /** Whether there is room for what happens-before needs. */
    final boolean hasStamps;

    private WordPlace(Class<?> declaredIn, FieldSites sites, Object base, long offset, long writes, long reads, long readers) {
        this.declaredIn = declaredIn;
        this.sites = sites;
        this.base = base;
        this.offset = offset;
        this.writes = writes;
        this.reads = reads;
        this.readers = readers;
        hasStamps = writes >= 0 && reads >= 0 && readers >= 0;
    }

    private static long stateOffset(String field, String type) {
        return Mem.M == null ? -1 : Mem.M.offset(ContainerState.class, field, type);
    }

    /** Where the field itself is; null until somebody asks. */
    private Value value;

    private static final class Value {
        /** null for an instance field. */
        final Object base;
        /** -1 if it holds no references, or cannot be found. */
        final long at;

        Value(Object base, long at) {
            this.base = base;
            this.at = at;
        }
    }

    /** What the field refers to now, null if it holds no references. */
    Object value(Object owner, SiteTable table, int field) {
        Value known = value;
        if (known == null) {
            known = find(table.names[field], table.descriptor(field));
            value = known;
        }
        return known.at < 0 ? null : Mem.M.getObject(base != null ? known.base : owner, known.at);
    }

    private Value find(String name, String type) {
        boolean isReference = declaredIn != null && (type.startsWith("L") || type.startsWith("["));
        Field field = isReference ? Native.field(declaredIn, name, type, base != null) : null;
        if (field == null) {
            return new Value(null, -1);
        }
        return base == null ? new Value(null, Mem.M.fieldOffset(field))
                : new Value(Mem.M.staticBase(field), Mem.M.staticOffset(field));
    }

    // With happens-before, the word is no state of the lock-set machine but the LockSets of the last write and read.

    int writeLocks(Object holder) {
        return Mem.M.getInt(holder, offset);
    }

    void setWriteLocks(Object holder, int locks) {
        Mem.M.putInt(holder, offset, locks);
    }

    /** Of the last read, if its stamp is that of one thread. */
    int readLocks(Object holder) {
        return Mem.M.getInt(holder, offset + 4);
    }

    void setReadLocks(Object holder, int locks) {
        Mem.M.putInt(holder, offset + 4, locks);
    }

    /** Of the word, or what else of this {@code type} has its name. {@code className} declares the field; it is a superclass of {@code owner}'s class, or that class. */
    static WordPlace inInstance(Object owner, String className, String field, String type) {
        for (Class<?> c = owner.getClass(); c != null; c = c.getSuperclass()) {
            if (c.getName().equals(className)) {
                long offset = Mem.M.offset(c, Names.wordOf(field), type);
                return offset < 0 ? NOWHERE : new WordPlace(c, FieldSites.of(c, field), null, offset,
                        Mem.M.offset(c, Names.writesOf(field), "J"), Mem.M.offset(c, Names.readsOf(field), "J"),
                        Mem.M.offset(c, Names.READERS, Names.READERS_TYPE));
            }
        }
        return NOWHERE;
    }

    /** The class is initialized already, or being so by this thread: the trampoline has just read the word. */
    static WordPlace inClass(Class<?> user, String className, String field, String type) {
        try {
            Class<?> c = Class.forName(className, false, user.getClassLoader());
            Field word = Native.field(c, Names.wordOf(field), type, true);
            return word == null ? NOWHERE : new WordPlace(c, FieldSites.of(c, field),
                    Mem.M.staticBase(word), Mem.M.staticOffset(word),
                    staticOffset(c, Names.writesOf(field), "J"), staticOffset(c, Names.readsOf(field), "J"),
                    staticOffset(c, Names.STATIC_READERS, Names.READERS_TYPE));
        } catch (ClassNotFoundException | LinkageError notVisible) {
            return NOWHERE;
        }
    }

    private static long staticOffset(Class<?> c, String name, String type) {
        Field field = Native.field(c, name, type, true);
        return field == null ? -1 : Mem.M.staticOffset(field);
    }
}
