package figures;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import racewire.api.After;
import racewire.api.Before;

/** Figure 7: the bag of locks that each thread holds, with the disjunct for ReentrantLock of section 4.1. */
public class Figure7 {
    private static final ThreadLocal<List<Object>> HELD = ThreadLocal.withInitial(ArrayList::new);

    @Before("(lock() && args(l) || call(void java.util.concurrent.locks.ReentrantLock.lock()) && target(l))"
        + " && Figure2.scope()")
    static void locking(Object l) {
        HELD.get().add(l);
        Out.print("figure 7: " + HELD.get().size() + " held, +" + Out.name(l));
    }

    @After("(unlock() && args(l) || call(void java.util.concurrent.locks.ReentrantLock.unlock()) && target(l))"
        + " && Figure2.scope()")
    static void unlocked(Object l) {
        if (!HELD.get().remove(l)) {
            throw new AssertionError("unlocked what was not locked");
        }
        Out.print("figure 7: " + HELD.get().size() + " held, -" + Out.name(l));
    }
}
