package racewire.rt;

import java.util.Arrays;

/** The sites whose stacks would complete a finding. */
final class WantedStacks {
    /** How many stacks of one site are worth their cost once the site is under suspicion. */
    private static final byte PER_SITE = 32;

    /** By global site id: how many more are wanted; a wish may get lost. No class is reachable from here. */
    private static volatile byte[] wanted = new byte[1024];

    private WantedStacks() { }

    static synchronized void makeRoom(int ids) {
        if (ids > wanted.length) {
            wanted = Arrays.copyOf(wanted, Math.max(ids, wanted.length * 2));
        }
    }

    static boolean isWanted(int id) {
        return wanted[id] > 0;
    }

    /** One more was captured. */
    static void captured(int id) {
        if (wanted[id] > 0) {
            wanted[id]--;
        }
    }

    /** If the stack of this access is wanted. */
    static void give(ThreadState me, int id, Object owner) {
        if (wanted[id] > 0) {
            capture(me, id, owner);
        }
    }

    private static void capture(ThreadState me, int id, Object owner) {
        if (OutOfLine.NEVER) {
            OutOfLine.fill(999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999,
                    999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999);
        }
        wanted[id]--;
        Native.stack(id, Epochs.id(me.epochFor(owner)), Stacks.capture());
    }

    /** After a finding: stacks of these sites would complete it; null: none. */
    static void want(int[] suspects) {
        if (suspects != null) {
            for (int suspect : suspects) {
                wanted[suspect] = PER_SITE;
            }
            KnownSteps.forgetAll();
            ThreadTable.unsettleAll();
        }
        Exit.atFinding();
    }
}
