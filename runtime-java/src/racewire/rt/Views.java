package racewire.rt;

/**
 * Views and iterators: what is done to one is done to the container behind it. Most of them know it themselves, as inner
 * classes (JLS 8.1.3); of the others that are declared it is kept who made them.
 */
public final class Views {
    private static final int MAX_DEPTH = 8;

    /** Instead of an offset. */
    private static final long NO_VIEW = -1;
    private static final long ASK_TABLE = -2;

    /** Where an object of this class has the container behind it, or what it is instead. */
    private static final ClassValue<Long> OUTER = new ClassValue<Long>() {
        @Override
        protected Long computeValue(Class<?> type) {
            long otherwise = NO_VIEW;
            for (Class<?> c = type; c != null; c = c.getSuperclass()) {
                String[] backing = Containers.backing(c);
                if (backing != null) {
                    return Mem.M.offset(c, backing[0], backing[1]);
                }
                Class<?> around = c.getEnclosingClass();
                // Only classes of the JDK are taken for views.
                if (around != null && c.getClassLoader() == null) {
                    long offset = Mem.M.offset(c, "this$0", "L" + around.getName().replace('.', '/') + ";");
                    if (offset >= 0) {
                        return offset;
                    }
                    otherwise = ASK_TABLE;
                }
            }
            return otherwise;
        }
    };

    private Views() { }

    /** {@code view} shows what is in {@code owner}. */
    public static void alias(Object view, Object owner) {
        if (!Order.ON || view == null || owner == null || view == owner) {
            return;
        }
        try {
            if (OUTER.get(view.getClass()) == ASK_TABLE) {
                ThreadState me = ThreadTable.current();
                me.sync(view).owner = me.sync(owner(owner));
            }
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
        }
    }

    /** The container behind {@code o}, which may be {@code o} itself. */
    static Object owner(Object o) {
        Object owner = o;
        try {
            for (int depth = 0; depth < MAX_DEPTH; depth++) {
                Object next = next(owner);
                if (next == null) {
                    return owner;
                }
                owner = next;
            }
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
        }
        return owner;
    }

    private static Object next(Object o) {
        long outer = OUTER.get(o.getClass());
        if (outer >= 0) {
            return Mem.M.getObject(o, outer);
        }
        if (outer == NO_VIEW) {
            return null;
        }
        SyncRef known = SyncTable.peek(o);
        return known == null || known.owner == null ? null : known.owner.get();
    }
}
