package racewire.rt;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Initialises classes of the runtime at the first hook. A later one may find next to no stack left, or no memory: an
 * initialiser that fails leaves its class unusable for good (JVMS 5.5), and as hooks keep quiet about what they fail of,
 * nothing would be found any more. Not in {@link Monitoring#start}: that is within an initialiser itself.
 */
final class Beforehand {
    private static final AtomicBoolean BEGUN = new AtomicBoolean();

    /** All with an initialiser, but those that few programs need: a unit test knows which. */
    private static final Class<?>[] CLASSES = {ArrayAccesses.class, ArrayRef.class, Cleared.class, ContainerClass.class,
        ContainerClass.Kind.class, ContainerState.class, Counts.class, Exit.class, Exits.class, FieldKey.class,
        FieldSite.class, FieldSites.class, Footprint.class, Footprints.class, Frozen.class, Handover.class,
        HeldLock.class, Indexed.class, Initialisation.class, KnownSections.class, LatestReads.class, LockIdentity.class,
        LockPlace.class, LockSteps.class, LockTable.class, Looks.class, Mem.class, Offsets.class, Optimistic.class,
        Options.class, Order.class, OutOfLine.class, Part.class, Past.class, PatchedContainers.class,
        PatchedThread.class, RacePairs.class, Reach.class, Reached.Mode.class, RefCache.class, Sections.class,
        Settled.class, SiteFindings.class, SiteSets.class, SiteTable.class, Sites.class, Slots.class, Stacks.class,
        Stale.class, StateOrdinals.class, SyncTable.class, SyncVar.class, Tasks.class, ThreadTable.class, Trace.class,
        Views.class, Volatiles.class, Walk.class, Walkers.class, WantedStacks.class, WordPlace.class, Words.class,
        WovenFor.class};

    private Beforehand() { }

    /** Once; who comes second does not wait. */
    static void initialize() {
        if (BEGUN.compareAndSet(false, true)) {
            for (Class<?> c : CLASSES) {
                try {
                    Class.forName(c.getName(), true, c.getClassLoader());
                } catch (ClassNotFoundException | LinkageError notHere) {
                    // Something of a newer JDK: it is not asked for here.
                }
            }
            // What the JDK needs for that, too.
            Sites.of(Beforehand.class);
        }
    }
}
