package racewire.rt;

import java.util.Arrays;

/** The last write and the reads since then, element by element. Guarded by the {@link Block} it belongs to. */
final class SingleElements {
    private final long[] writes;
    private final int[] writeSites;
    private final long[] reads;
    private final int[] readSites;
    /** By element: further reads, stamp and site alternately. */
    private long[][] moreReads;

    SingleElements(int elements) {
        writes = new long[elements];
        writeSites = new int[elements];
        reads = new long[elements];
        readSites = new int[elements];
    }

    /** What was known before; the order does not matter, as an element has one write, and reads since then. */
    void put(long stamp, boolean write, int site, long[] elements) {
        for (int w = 0; w < elements.length; w++) {
            for (long left = elements[w]; left != 0; left &= left - 1) {
                int i = w * Long.SIZE + Long.numberOfTrailingZeros(left);
                if (write) {
                    writes[i] = stamp;
                    writeSites[i] = site;
                } else if (reads[i] == 0) {
                    reads[i] = stamp;
                    readSites[i] = site;
                } else {
                    addRead(i, stamp, site);
                }
            }
        }
    }

    void access(Encounter met, Clock clock, boolean write, int site, long[] elements, int from, int to) {
        long stamp = clock.stamp();
        for (int w = from; w < to; w++) {
            for (long left = elements[w]; left != 0; left &= left - 1) {
                int i = w * Long.SIZE + Long.numberOfTrailingZeros(left);
                met.meet(writes[i], true, writeSites[i]);
                if (write) {
                    meetReads(met, i);
                    writes[i] = stamp;
                    writeSites[i] = site;
                } else {
                    read(clock, i, stamp, site);
                }
            }
        }
    }

    /** A write meets all reads since the last one, and ends them. */
    private void meetReads(Encounter met, int i) {
        met.meet(reads[i], true, readSites[i]);
        reads[i] = 0;
        if (moreReads != null && moreReads[i] != null) {
            for (int n = 0; n < moreReads[i].length; n += 2) {
                met.meet(moreReads[i][n], true, (int) moreReads[i][n + 1]);
            }
            moreReads[i] = null;
        }
    }

    private void read(Clock clock, int i, long stamp, int site) {
        if (moreReads != null && moreReads[i] != null) {
            forgetKnown(clock, i);
        }
        if (reads[i] == 0 || isKnown(clock, reads[i])) {
            reads[i] = stamp;
            readSites[i] = site;
        } else {
            addRead(i, stamp, site);
        }
    }

    /** Whoever is after the read that comes now is after those. */
    private void forgetKnown(Clock clock, int i) {
        long[] all = moreReads[i];
        int kept = 0;
        for (int n = 0; n < all.length; n += 2) {
            if (!isKnown(clock, all[n])) {
                all[kept] = all[n];
                all[kept + 1] = all[n + 1];
                kept += 2;
            }
        }
        if (kept < all.length) {
            moreReads[i] = kept == 0 ? null : Arrays.copyOf(all, kept);
        }
    }

    private static boolean isKnown(Clock clock, long stamp) {
        return clock.knows(Stamps.slot(stamp), Stamps.time(stamp));
    }

    private void addRead(int i, long stamp, int site) {
        if (moreReads == null) {
            moreReads = new long[reads.length][];
        }
        long[] all = moreReads[i] == null ? new long[2] : Arrays.copyOf(moreReads[i], moreReads[i].length + 2);
        all[all.length - 2] = stamp;
        all[all.length - 1] = site;
        moreReads[i] = all;
    }
}
