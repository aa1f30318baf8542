package racewire.rt;

/**
 * A field or an element that a call accesses by name or handle: noted by one step of the call's model, looked at by the
 * next one, which knows the call's site. One per thread, used again and again.
 */
public final class Reached {
    /** How the variable is used. */
    enum Mode {
        PLAIN,
        /** Two such accesses do not race; one with a plain one does. */
        ATOMIC,
        /** The same where the access has released already, so that its moment is gone: it is not kept. */
        LOOK
    }

    /** The object whose call it is; null if there is none. */
    private Object through;
    /** null: nothing is known to be accessed. */
    private FieldKey field;
    private Object owner;
    private int element;
    private Mode mode;

    Reached() { }

    // ---- through VarHandles: a static field, a field of an object, an element of an array

    public static void plain(Object handle) {
        byHandle(handle, null, Mode.PLAIN);
    }

    public static void plain(Object handle, Object owner) {
        byHandle(handle, owner, Mode.PLAIN);
    }

    public static void plain(Object handle, Object array, int index) {
        byHandle(handle, array, index, Mode.PLAIN);
    }

    public static void atomic(Object handle) {
        byHandle(handle, null, Mode.ATOMIC);
    }

    public static void atomic(Object handle, Object owner) {
        byHandle(handle, owner, Mode.ATOMIC);
    }

    public static void atomic(Object handle, Object array, int index) {
        byHandle(handle, array, index, Mode.ATOMIC);
    }

    public static void look(Object handle) {
        byHandle(handle, null, Mode.LOOK);
    }

    public static void look(Object handle, Object owner) {
        byHandle(handle, owner, Mode.LOOK);
    }

    public static void look(Object handle, Object array, int index) {
        byHandle(handle, array, index, Mode.LOOK);
    }

    private static void byHandle(Object handle, Object owner, Mode mode) {
        if (Order.ON && handle != null) {
            try {
                FieldKey field = Handles.field(handle);
                note(handle, field == FieldKey.ELEMENTS ? null : field, owner, 0, mode);
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }

    private static void byHandle(Object handle, Object array, int index, Mode mode) {
        if (Order.ON && handle != null) {
            try {
                // Views of bytes as something wider have an index, too.
                boolean isElement = Handles.field(handle) == FieldKey.ELEMENTS && array != null;
                note(handle, isElement ? FieldKey.ELEMENTS : null, array, index, mode);
            } catch (Throwable keptQuiet) {
                // See Hooks.access.
            }
        }
    }

    // ---- noting and looking

    /** The call through {@code through} is about to access this; {@code field} is null if nobody knows. */
    static void note(Object through, FieldKey field, Object owner, int element, Mode mode) {
        Reached me = ThreadTable.current().reached;
        me.through = through;
        me.field = field;
        me.owner = field == null ? null : owner;
        me.element = element;
        me.mode = mode;
    }

    /** The access at this site, if something was noted for {@code through}. */
    static boolean access(Sites sites, Object through, int site) {
        if (!Order.ON || through == null) {
            return false;
        }
        try {
            ThreadState me = ThreadTable.current();
            if (me.reached.through != through) {
                return false;
            }
            if (!me.busy && !Monitoring.stopped) {
                me.busy = true;
                try {
                    me.reached.access(me, sites, site);
                } finally {
                    me.busy = false;
                    me.reached.forget();
                }
            }
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
        }
        return true;
    }

    private void access(ThreadState me, Sites sites, int site) {
        if (field == null || field != FieldKey.ELEMENTS && field.descriptor == null) {
            return;
        }
        Class<?> declaring = field == FieldKey.ELEMENTS ? owner.getClass() : field.declaring(owner);
        if (declaring != null) {
            Sites there = sites.reaching(site, declaring, field, mode != Mode.PLAIN);
            if (there != null) {
                there.reach(me, owner, element, mode == Mode.LOOK);
            }
        }
    }

    boolean isEmpty() {
        return through == null;
    }

    /** No object of the program is kept alive from here. */
    private void forget() {
        through = null;
        field = null;
        owner = null;
    }
}
