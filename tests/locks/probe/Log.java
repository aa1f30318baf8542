package probe;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import racewire.rt.Inspect;

/**
 * Records the lock events of named locks in one thread, each with whether the lock is really held at that
 * moment. Excluded from weaving: it stands beside the program, not in it.
 */
public final class Log implements Inspect.Listener {
    private final Map<Object, String> names = new IdentityHashMap<>();
    /** From the runtime's identity of a lock back to the lock itself. */
    private final Map<Object, Object> locks = new IdentityHashMap<>();
    private final List<String> events = new ArrayList<>();
    private final Thread watched = Thread.currentThread();
    private int failures;

    public Log name(Object lock, String name) {
        Object identity = lock instanceof Lock ? Inspect.identity((Lock) lock) : lock;
        names.put(identity, name);
        locks.put(identity, lock);
        return this;
    }

    /** Compares what happened since the last call, and that the thread's bag is empty again. */
    public void expect(String scenario, String... wanted) {
        Inspect.setListener(null);
        String got = String.join(", ", events);
        String all = String.join(", ", wanted);
        String[] held = Inspect.heldLocks();
        events.clear();
        Inspect.setListener(this);
        if (got.equals(all) && held.length == 0) {
            System.out.println("ok " + scenario);
        } else {
            failures++;
            System.out.println("FAILED " + scenario);
            System.out.println("  wanted " + all);
            System.out.println("  got    " + got);
            System.out.println("  still held " + String.join(", ", held));
        }
    }

    /** As {@link #expect}, of the scenario's own notes alone: for calls whose events are the library's choice. */
    public void heldAfter(String scenario, String... wanted) {
        events.removeIf(e -> e.matches("(want|got|leave|left) .*"));
        expect(scenario, wanted);
    }

    /** In the middle of a scenario: how many locks the bag holds, counted as often as taken. */
    public void held(int count) {
        events.add("held " + Inspect.heldLocks().length);
        if (Inspect.heldLocks().length != count) {
            events.add("but wanted " + count);
        }
    }

    public void note(String text) {
        events.add(text);
    }

    public int failures() {
        return failures;
    }

    @Override
    public void beforeLock(Object lock) {
        record("want", lock);
    }

    @Override
    public void afterLock(Object lock) {
        record("got", lock);
    }

    @Override
    public void beforeUnlock(Object lock) {
        record("leave", lock);
    }

    @Override
    public void afterUnlock(Object lock) {
        record("left", lock);
    }

    private void record(String event, Object lock) {
        String name = names.get(lock);
        if (name == null || Thread.currentThread() != watched) {
            return;
        }
        events.add(event + " " + name + (held(locks.get(lock)) ? "+" : "-"));
    }

    private static boolean held(Object lock) {
        return lock instanceof ReentrantLock
                ? ((ReentrantLock) lock).isHeldByCurrentThread()
                : Thread.holdsLock(lock);
    }
}
