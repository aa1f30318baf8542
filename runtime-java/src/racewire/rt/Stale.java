package racewire.rt;

import java.util.concurrent.ConcurrentHashMap;

/**
 * Stale values: what woven classes call at the flows that the static side marks. A use is stale if another thread wrote the
 * variable between the read and the use of what was read. The texts say where: crate {@code model}, module {@code flows}.
 */
public final class Stale {
    private static final boolean ON = Hooks.ON && isWanted();

    /** How often a place that a finding names gives its stack. */
    private static final int STACKS_PER_PLACE = 32;

    /** Uses that were found stale: how many stacks the finding has. */
    private static final ConcurrentHashMap<String, Integer> TOLD = new ConcurrentHashMap<>();
    /** With the stacks of all three places. */
    private static final int COMPLETE = 3;

    /** Places whose stacks are wanted: how many more. */
    private static final ConcurrentHashMap<String, Integer> WANTED = new ConcurrentHashMap<>();
    /** Not volatile: to see it late only costs a stack. */
    private static boolean anyWanted;

    private Stale() { }

    static boolean isWanted() {
        return !Monitoring.SHARING && Options.detects("stale");
    }

    /** A followed variable is read; gives what belongs beside it. {@code owner} is null for a static field. */
    public static StaleVariable read(StaleVariable known, Object owner, String place) {
        StaleVariable variable = known;
        try {
            if (ON && !Monitoring.stopped) {
                if (variable == null) {
                    variable = new StaleVariable(owner);
                }
                if (Trace.ON) {
                    synchronized (Trace.turn(variable)) {
                        Trace.flowRead(variable, place);
                        ThreadTable.current().stale.read(place, variable, stack(place));
                    }
                } else {
                    ThreadTable.current().stale.read(place, variable, stack(place));
                }
            }
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
        }
        return variable;
    }

    /** A followed variable that somebody has read is written. */
    public static void wrote(StaleVariable variable, String place) {
        try {
            if (ON) {
                if (Trace.ON) {
                    synchronized (Trace.turn(variable)) {
                        Trace.flowWrite(variable, place);
                        variable.write(ThreadTable.current().id(), place, stack(place));
                    }
                } else {
                    variable.write(ThreadTable.current().id(), place, stack(place));
                }
            }
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
        }
    }

    /** What was read there is not what comes next. */
    public static void forget(String flow) {
        try {
            if (ON) {
                if (Trace.ON) {
                    Trace.flowForget(flow);
                }
                ThreadTable.current().stale.forget(flow);
            }
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
        }
    }

    /** What came {@code from} there goes on as {@code flow}: a call has returned it, or it has come to where ways meet. */
    public static void passed(String flow, String from) {
        try {
            if (ON) {
                if (Trace.ON) {
                    Trace.flowPass(flow, from);
                }
                ThreadTable.current().stale.passed(flow, from);
            }
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
        }
    }

    /** What came {@code from} there is about to be used. */
    public static void used(String use, String from) {
        try {
            if (ON && !Monitoring.stopped) {
                ThreadState me = ThreadTable.current();
                StaleReads reads = me.stale;
                int slot = reads.slot(from);
                StaleVariable variable = reads.variable(slot);
                if (variable == null) {
                    return;
                }
                if (Trace.ON) {
                    synchronized (Trace.turn(variable)) {
                        Trace.flowUse(use, from);
                        used(me, use, reads, slot, variable);
                    }
                } else {
                    used(me, use, reads, slot, variable);
                }
            }
        } catch (Throwable keptQuiet) {
            // See Hooks.access.
        }
    }

    private static void used(ThreadState me, String use, StaleReads reads, int slot, StaleVariable variable) {
        if (variable.isStale(me.id(), reads.version(slot))) {
            tell(me, use, reads, slot, variable);
        }
    }

    private static void tell(ThreadState me, String use, StaleReads reads, int slot, StaleVariable variable) {
        boolean latest = variable.writer != me.id();
        int writer = latest ? variable.writer : variable.earlierWriter;
        String place = latest ? variable.place : variable.earlierPlace;
        String[] written = latest ? variable.stack : variable.earlierStack;
        String[] read = reads.stack(slot);
        Integer told = TOLD.get(use);
        int stacks = 1 + (read == null ? 0 : 1) + (written == null ? 0 : 1);
        if (place == null || told != null && told >= stacks) {
            return;
        }
        TOLD.put(use, stacks);
        if (stacks < COMPLETE) {
            WANTED.putIfAbsent(reads.place(slot), STACKS_PER_PLACE);
            WANTED.putIfAbsent(place, STACKS_PER_PLACE);
            anyWanted = true;
        }
        Object owner = variable.get();
        Native.stale(use, reads.place(slot), place, me.id(), writer,
                owner == null ? "" : LockIdentity.describe(owner, System.identityHashCode(owner)), Stacks.capture(), read,
                written);
    }

    /** The stack, if a finding lacks it. */
    private static String[] stack(String place) {
        if (!anyWanted) {
            return null;
        }
        Integer left = WANTED.get(place);
        if (left == null || left <= 0) {
            return null;
        }
        WANTED.put(place, left - 1);
        return Stacks.capture();
    }
}
