package racewire.rt;

/**
 * One site that accesses a field, or the state of containers, where happens-before is looked at: all that its slow path asks
 * for, worked out at the site's first access. Most accesses come here because their thread's time has gone on, and have
 * nothing to meet: their way is kept short.
 */
final class FieldSite {
    /** Traces and counts want to know more, and look at every access. */
    static final boolean USED = Order.ON && !Trace.ON && !Counts.ON && !Sections.ALONE;

    private final Sites sites;
    private final WordPlace place;
    /** In its class, and among all. */
    private final int index;
    private final int id;
    private final int ordinal;
    private final boolean write;
    private final boolean observes;
    private final boolean isState;

    FieldSite(Sites sites, WordPlace place, int index, int id, int ordinal, boolean write, boolean observes) {
        this.sites = sites;
        this.place = place;
        this.index = index;
        this.id = id;
        this.ordinal = ordinal;
        this.write = write;
        this.observes = observes;
        isState = place == WordPlace.OF_CONTAINER;
    }

    void access(ThreadState me, Object owner) {
        if (OutOfLine.NEVER) {
            OutOfLine.fill(999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999,
                    999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999);
        }
        if (Sections.ON) {
            me.touch(id);
        }
        if (me.awaited != null && owner instanceof Throwable) {
            Tasks.asked(me);
        }
        Object holder = isState ? me.state(owner) : place.base == null ? owner : place.base;
        int locks = me.locksFor(owner);
        if (Order.HYBRID && me.depth > 0) {
            Looks.came(me, id);
        }
        boolean metNothing = write ? Order.writes(me, holder, place, ordinal, locks)
                : Order.reads(me, holder, place, observes, ordinal, locks);
        if (!metNothing) {
            sites.inOrder(me, owner, holder, place, index, ordinal, locks);
        }
        WantedStacks.give(me, id, owner);
    }
}
