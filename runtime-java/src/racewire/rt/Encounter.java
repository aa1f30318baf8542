package racewire.rt;

import java.util.Arrays;

/**
 * What one access met of earlier accesses to its variable: those it races with, those that are ordered before it only
 * by who came first to a lock, and whether there were others at all. One per thread, used again and again.
 */
final class Encounter {
    private final Clock clock;
    private long[] races = new long[2];
    private long[] chances = new long[2];
    /** Of the races with elements of arrays, whose sites stamps do not tell. */
    private int[] raceSites = new int[2];
    int raceCount;
    int chanceCount;
    /** Another thread was here. */
    private boolean others;
    /** This thread was here. */
    private boolean before;
    /** All that others did is ordered before, and not by chance. */
    private boolean sure;

    Encounter(Clock clock) {
        this.clock = clock;
    }

    void begin() {
        raceCount = 0;
        chanceCount = 0;
        others = false;
        before = false;
        sure = true;
    }

    /** An earlier access; {@code conflicts} unless both are reads. */
    void meet(long stamp, boolean conflicts) {
        meet(stamp, conflicts, -1);
    }

    /** The same with the id of its site. */
    void meet(long stamp, boolean conflicts, int site) {
        if (stamp == 0) {
            return;
        }
        int slot = Stamps.slot(stamp);
        if (slot == clock.slot) {
            before = true;
            return;
        }
        others = true;
        long time = Stamps.time(stamp);
        if (clock.knowsSurely(slot, time)) {
            return;
        }
        sure = false;
        if (!conflicts) {
            return;
        }
        if (clock.knows(slot, time)) {
            chances = with(chances, chanceCount++, stamp);
        } else {
            races = with(races, raceCount, stamp);
            if (raceCount == raceSites.length) {
                raceSites = Arrays.copyOf(raceSites, raceCount * 2);
            }
            raceSites[raceCount++] = site;
        }
    }

    /** The variable was handed over to this thread: what others did before does not matter to locks any more. */
    boolean isHandOver() {
        return others && sure && !before;
    }

    long race(int nth) {
        return races[nth];
    }

    int raceSite(int nth) {
        return raceSites[nth];
    }

    /** The accesses that are ordered by chance: thread and site of each, by their ids in the native library. */
    int[] byChance(FieldSites sites) {
        int[] accesses = new int[chanceCount * 2];
        for (int i = 0; i < chanceCount; i++) {
            accesses[i * 2] = Slots.thread(chances[i]);
            accesses[i * 2 + 1] = sites.id(Stamps.ordinal(chances[i]));
        }
        return accesses;
    }

    private static long[] with(long[] list, int at, long stamp) {
        long[] room = at < list.length ? list : Arrays.copyOf(list, at * 2);
        room[at] = stamp;
        return room;
    }
}
