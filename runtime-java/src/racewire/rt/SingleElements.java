package racewire.rt;

import java.util.Arrays;

/** The last write and the reads since then, element by element. Guarded by the {@link Block} it belongs to. */
final class SingleElements {
    /** The index in the array of the first one. */
    private final int first;
    private final long[] writes;
    private final int[] writeSites;
    private final long[] reads;
    private final int[] readSites;
    /** Under which {@link LockSets}; null if nobody asks. */
    private final int[] writeLocks;
    private final int[] readLocks;
    /** By element: further reads, stamp and (locks, site) alternately. */
    private long[][] moreReads;

    SingleElements(int first, int elements) {
        this.first = first;
        writes = new long[elements];
        writeSites = new int[elements];
        reads = new long[elements];
        readSites = new int[elements];
        writeLocks = Order.HYBRID ? new int[elements] : null;
        readLocks = Order.HYBRID ? new int[elements] : null;
    }

    private static int at(int[] locks, int i) {
        return locks == null ? LockSets.UNKNOWN : locks[i];
    }

    private void write(int i, long stamp, int site, int locks) {
        writes[i] = stamp;
        writeSites[i] = site;
        if (writeLocks != null) {
            writeLocks[i] = locks;
        }
    }

    private void read(int i, long stamp, int site, int locks) {
        reads[i] = stamp;
        readSites[i] = site;
        if (readLocks != null) {
            readLocks[i] = locks;
        }
    }

    /** What was known before; the order does not matter, as an element has one write, and reads since then. */
    void put(long stamp, boolean write, int site, int locks, int word, long elements) {
        for (long left = elements; left != 0; left &= left - 1) {
            int i = word * Long.SIZE + Long.numberOfTrailingZeros(left);
            if (write) {
                write(i, stamp, site, locks);
            } else if (reads[i] == 0) {
                read(i, stamp, site, locks);
            } else {
                addRead(i, stamp, site, locks);
            }
        }
    }

    void access(Encounter met, Clock clock, boolean write, int site, long[] elements, int from, int to) {
        if (OutOfLine.NEVER) {
            OutOfLine.fill(999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999,
                    999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999, 999);
        }
        long stamp = clock.stamp();
        for (int w = from; w < to; w++) {
            for (long left = elements[w]; left != 0; left &= left - 1) {
                int i = w * Long.SIZE + Long.numberOfTrailingZeros(left);
                meet(met, i, writes[i], true, at(writeLocks, i), writeSites[i]);
                if (write) {
                    meetReads(met, i);
                    write(i, stamp, site, met.locks());
                } else {
                    read(met, i, stamp, site);
                }
            }
        }
    }

    private long lastStamp;
    private int lastSite;

    /** Whether the last access was at this time and site, as this one is. */
    boolean isAgain(long stamp, int site) {
        boolean again = lastStamp == stamp && lastSite == site;
        lastStamp = stamp;
        lastSite = site;
        return again;
    }

    /** See {@link Block#known}. */
    boolean isKnown(long stamp, boolean write, int i) {
        return i >= 0 && i < writes.length && (writes[i] == stamp || !write && reads[i] == stamp);
    }

    private void meet(Encounter met, int i, long stamp, boolean write, int locks, int site) {
        Encounter.Accesses added = met.meet(stamp, write, locks, site);
        if (added != null) {
            added.at(first + i);
        }
    }

    /** A write meets all reads since the last one, and ends them. */
    private void meetReads(Encounter met, int i) {
        meet(met, i, reads[i], false, at(readLocks, i), readSites[i]);
        reads[i] = 0;
        if (moreReads != null && moreReads[i] != null) {
            for (int n = 0; n < moreReads[i].length; n += 2) {
                long place = moreReads[i][n + 1];
                meet(met, i, moreReads[i][n], false, (int) (place >>> Integer.SIZE), (int) place);
            }
            moreReads[i] = null;
        }
    }

    private void read(Encounter met, int i, long stamp, int site) {
        int kept = moreReads == null || moreReads[i] == null ? 0 : forgetKnown(met, moreReads[i]);
        if (reads[i] == 0 || met.supersedes(reads[i], at(readLocks, i))) {
            read(i, stamp, site, met.locks());
        } else if (kept > 0 || moreReads != null && moreReads[i] != null) {
            // In the place of one that is forgotten, as a rule the thread's own.
            long[] all = moreReads[i];
            if (kept == all.length) {
                addRead(i, stamp, site, met.locks());
                return;
            }
            all[kept] = stamp;
            all[kept + 1] = (long) met.locks() << Integer.SIZE | site;
            kept += 2;
        } else {
            addRead(i, stamp, site, met.locks());
            return;
        }
        if (moreReads != null && moreReads[i] != null && kept < moreReads[i].length) {
            moreReads[i] = kept == 0 ? null : Arrays.copyOf(moreReads[i], kept);
        }
    }

    /** Whoever is after the read that comes now is after those. How much is left, at the beginning. */
    private static int forgetKnown(Encounter met, long[] all) {
        int kept = 0;
        for (int n = 0; n < all.length; n += 2) {
            if (!met.supersedes(all[n], (int) (all[n + 1] >>> Integer.SIZE))) {
                all[kept] = all[n];
                all[kept + 1] = all[n + 1];
                kept += 2;
            }
        }
        return kept;
    }

    private void addRead(int i, long stamp, int site, int locks) {
        if (moreReads == null) {
            moreReads = new long[reads.length][];
        }
        long[] all = moreReads[i] == null ? new long[2] : Arrays.copyOf(moreReads[i], moreReads[i].length + 2);
        all[all.length - 2] = stamp;
        all[all.length - 1] = (long) locks << Integer.SIZE | site;
        moreReads[i] = all;
    }
}
