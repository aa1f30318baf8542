package racer;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import racewire.api.After;
import racewire.api.Before;

/** The bag of locks that each thread holds (figure 7 of the paper). Locks are re-entrant, so a set would not do. */
public class Locking {
    private static final ThreadLocal<List<Integer>> HELD = ThreadLocal.withInitial(ArrayList::new);
    private static final WeakIdentityMap<Integer> IDS = new WeakIdentityMap<>();
    private static int lastId;

    @Before("lock() && args(l) || call(void java.util.concurrent.locks.Lock+.lock()) && target(l)")
    static void locking(Object l) {
        HELD.get().add(id(l));
    }

    @After("unlock() && args(l) || call(void java.util.concurrent.locks.Lock+.unlock()) && target(l)")
    static void unlocked(Object l) {
        HELD.get().remove((Object) id(l));
    }

    /** What the current thread holds. */
    static Set<Integer> held() {
        return new TreeSet<>(HELD.get());
    }

    /** Locks are known by numbers, which keep nothing alive. */
    private static Integer id(Object lock) {
        synchronized (IDS) {
            return IDS.get(lock, () -> ++lastId);
        }
    }
}
