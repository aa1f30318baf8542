package racer;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import racewire.api.Site;

/** The state of one field of one object (figure 9b of the paper): for one thread at a time. */
final class Variable {
    private enum Phase { VIRGIN, EXCLUSIVE, EXCLUSIVE_MODIFIED, SHARED, SHARED_MODIFIED }

    private Phase phase = Phase.VIRGIN;
    /** Of the last access by the thread that has the variable to itself. */
    private Period owner;
    /** The locks that protected every access so far; null for all locks there are. */
    private Set<Integer> candidates;
    private final List<Access> history = new ArrayList<>();

    /** Gives the earlier accesses that the new one races with. */
    List<Access> access(Access access) {
        boolean alone = phase == Phase.EXCLUSIVE || phase == Phase.EXCLUSIVE_MODIFIED;
        boolean sameThread = alone && owner.life == access.period.life;
        if (phase != Phase.VIRGIN && !sameThread && seesAll(access)) {
            phase = Phase.VIRGIN;
            candidates = null;
            history.clear();
            alone = false;
        }
        if (phase == Phase.VIRGIN || sameThread) {
            boolean modified = access.isWrite || phase == Phase.EXCLUSIVE_MODIFIED;
            phase = modified ? Phase.EXCLUSIVE_MODIFIED : Phase.EXCLUSIVE;
            owner = access.period;
        } else if (access.isWrite || phase == Phase.EXCLUSIVE_MODIFIED || phase == Phase.SHARED_MODIFIED) {
            phase = Phase.SHARED_MODIFIED;
        } else {
            phase = Phase.SHARED;
        }
        if (candidates == null) {
            candidates = new TreeSet<>(access.locks);
        } else {
            candidates.retainAll(access.locks);
        }
        List<Access> races = new ArrayList<>();
        if (phase == Phase.SHARED_MODIFIED && candidates.isEmpty()) {
            for (Access earlier : history) {
                if (earlier.racesWith(access)) {
                    races.add(earlier);
                }
            }
        }
        if (history.stream().noneMatch(access::repeats)) {
            history.add(access);
        }
        return races;
    }

    /** Everything so far was handed over to the thread that comes now. */
    private boolean seesAll(Access access) {
        return history.stream().allMatch(earlier -> access.period.sees(earlier.period));
    }

    static final class Access {
        final Site site;
        final boolean isWrite;
        final Period period;
        final Set<Integer> locks;

        Access(Site site, Period period, Set<Integer> locks) {
            this.site = site;
            this.isWrite = site.kind().equals("field-set");
            this.period = period;
            this.locks = locks;
        }

        boolean racesWith(Access later) {
            return (isWrite || later.isWrite) && period.life != later.period.life && !later.period.sees(period)
                && locks.stream().noneMatch(later.locks::contains);
        }

        boolean repeats(Access other) {
            return site == other.site && period.life == other.period.life && period.number == other.period.number
                && locks.equals(other.locks);
        }

        @Override
        public String toString() {
            return (isWrite ? "Write" : "Read") + " at " + site.location();
        }
    }
}
