package racewire.rt;

import java.util.AbstractCollection;
import java.util.AbstractMap;

/**
 * The field that {@code racewire run} adds to classes from which most containers of the JDK are derived (crate
 * {@code racewire}, module {@code thread_patch}): there a container has its {@link ContainerState} itself. Where it is not, a
 * table of weak references has them, and each costs the collector more than the container does.
 */
final class PatchedContainers {
    private static final String NAME = "$racewire$state";

    /** Offsets, or -1; fields belong to who has those of the threads. */
    private static final long COLLECTION = offset("java.util.AbstractCollection");
    private static final long MAP = offset("java.util.AbstractMap");
    private static final long BUILDER = offset("java.lang.AbstractStringBuilder");

    /** Their states differ by this, more or less: {@link Doors} wants to tell them apart without asking for hashes. */
    private static int hashes;

    private PatchedContainers() { }

    private static long offset(String declaring) {
        return PatchedThread.OURS ? Mem.privateOffset(declaring, NAME, "Ljava/lang/Object;") : -1;
    }

    /** Where {@code container} has its state; -1 if it has no room for one. */
    static long place(Object container) {
        return container instanceof AbstractCollection ? COLLECTION
                : container instanceof AbstractMap ? MAP
                : container instanceof StringBuilder ? BUILDER : -1;
    }

    /** The state that is at this place, or null. */
    static ContainerState peek(Object container, long place) {
        ContainerState state = (ContainerState) Mem.M.getObject(container, place);
        // A clone has got its original's.
        return state != null && state.container == container ? state : null;
    }

    /** The same, made if need be. */
    static ContainerState state(Object container, long place) {
        for (;;) {
            Object there = Mem.M.getObject(container, place);
            if (there != null && ((ContainerState) there).container == container) {
                return (ContainerState) there;
            }
            ContainerState made = new ContainerState(container, hashes += 0x9E3779B9);
            if (Mem.M.compareAndSet(container, place, there, made)) {
                return made;
            }
        }
    }
}
