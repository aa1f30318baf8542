package racewire.rt;

/**
 * One site that accesses a field, or the state of containers: all that its slow path asks for, worked out at the site's first
 * access. Where happens-before is looked at, most accesses come here because their thread's time has gone on, and have nothing
 * to meet: their way is kept short.
 */
final class FieldSite {
    /** Traces and counts want to know more, and look at every access. */
    static final boolean USED = !Trace.ON && !Counts.ON && !Sections.ALONE;

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
        if (Sections.ON) {
            me.touch(id);
        }
        if (!Order.ON) {
            LockSteps.step(me, sites, id, owner, place.base == null ? owner : place.base, place, ordinal);
            return;
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
