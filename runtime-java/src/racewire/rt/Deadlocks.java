package racewire.rt;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Looks now and then whether threads wait for each other for ever, each for a lock that the next one holds: monitors and
 * locks alike, of platform and virtual threads. Such a circle is written to the findings file at once, since a JVM that
 * hangs is killed sooner or later.
 *
 * <p>The hooks leave what is needed in each {@link ThreadState}; nobody waits for the watcher. What it reads may be out of
 * date: a circle counts if it stands still between two looks.
 */
final class Deadlocks {
    static final long EVERY_MS = 1000;
    private static final long SECOND_LOOK_MS = 100;
    /** A look at very many threads is followed by so many times its length of rest. */
    private static final int REST = 50;

    /** The threads of circles that were told of. */
    private final Set<ThreadState> known = new HashSet<>();

    /** Tells of a circle if there is one; gives the milliseconds until the next look. */
    long look() throws InterruptedException {
        if (Monitoring.SHARING) {
            return EVERY_MS;
        }
        long begin = System.nanoTime();
        List<Waiter> circle = circle(waiters());
        if (!circle.isEmpty() && standsStill(circle)) {
            tell(circle);
            // There may be more of them.
            return 0;
        }
        return Math.max(EVERY_MS, (System.nanoTime() - begin) / 1_000_000 * REST);
    }

    /** Those that wait for a lock and hold another, without those of known circles. */
    private List<Waiter> waiters() {
        List<Waiter> all = new ArrayList<>();
        for (ThreadState state : ThreadTable.all()) {
            Waiter waiter = known.contains(state) ? null : Waiter.of(state);
            if (waiter != null) {
                all.add(waiter);
            }
        }
        return all;
    }

    /** Some that wait each for the next one, and the last one for the first; or none. */
    private static List<Waiter> circle(List<Waiter> waiters) {
        List<Waiter> path = new ArrayList<>();
        Set<Waiter> done = new HashSet<>();
        for (Waiter waiter : waiters) {
            List<Waiter> found = follow(waiter, waiters, path, done);
            if (found != null) {
                return found;
            }
        }
        return path;
    }

    private static List<Waiter> follow(Waiter waiter, List<Waiter> waiters, List<Waiter> path, Set<Waiter> done) {
        int before = path.indexOf(waiter);
        if (before >= 0) {
            return path.subList(before, path.size());
        }
        if (!done.add(waiter)) {
            return null;
        }
        path.add(waiter);
        for (Waiter other : waiters) {
            List<Waiter> found = waiter.keptBy(other) == null ? null : follow(other, waiters, path, done);
            if (found != null) {
                return found;
            }
        }
        path.remove(path.size() - 1);
        return null;
    }

    /** All were read before any is read again: if none has moved, there was a moment when it was true of all. */
    private static boolean standsStill(List<Waiter> circle) throws InterruptedException {
        Thread.sleep(SECOND_LOOK_MS);
        for (Waiter before : circle) {
            Waiter now = Waiter.of(before.state);
            if (now == null || !now.isStillAs(before)) {
                return false;
            }
        }
        return true;
    }

    private void tell(List<Waiter> circle) {
        StringBuilder names = new StringBuilder();
        for (int i = 0; i < circle.size(); i++) {
            Waiter waiter = circle.get(i);
            Waiter previous = circle.get(i == 0 ? circle.size() - 1 : i - 1);
            waiter.tell(previous.keptBy(waiter));
            known.add(waiter.state);
            names.append(i == 0 ? "" : i < circle.size() - 1 ? ", " : " and ").append('"')
                    .append(waiter.thread.getName()).append('"');
        }
        boolean isNews = Native.deadlock();
        Monitoring.checkTrouble();
        if (isNews) {
            Stderr.line("deadlock: " + names + (circle.size() == 1 ? " waits for itself" : " wait for each other")
                    + " for ever; see " + Native.file());
            Exit.atFinding();
        }
    }
}
