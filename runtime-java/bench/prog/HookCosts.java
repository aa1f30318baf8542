package prog;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;
import racewire.rt.Hooks;

/**
 * What hooks cost, in ns, against the same loop without them. Compile with {@code ../test/prog}; run
 * with {@code -XX:-EliminateLocks}, or the plain loops have their locks merged, which no hooked loop can.
 */
public class HookCosts {
    static final int N = 20_000_000;
    static int sink;
    static final ReentrantLock LOCK = new ReentrantLock();
    static final Object MONITOR = new Object();
    /** CPU time of the thread, so that a busy machine disturbs less. */
    static final java.lang.management.ThreadMXBean CLOCK = java.lang.management.ManagementFactory.getThreadMXBean();

    interface Loop {
        void run(int n) throws Exception;
    }

    static double time(Loop loop, int n) throws Exception {
        double best = Double.MAX_VALUE;
        for (int i = 0; i < 7; i++) {
            long t = CLOCK.getCurrentThreadCpuTime();
            loop.run(n);
            best = Math.min(best, (CLOCK.getCurrentThreadCpuTime() - t) / (double) n);
        }
        return best;
    }

    static void report(String what, double hooked, double plain) {
        System.out.printf("%-44s %7.2f ns (plain %.2f, added %.2f)%n", what, hooked, plain, hooked - plain);
    }

    // A multiply keeps the JIT from folding the plain loop into one addition.
    static void plainAdds(int n, Cell c) {
        for (int i = 0; i < n; i++) {
            c.value = c.value * 31 + i;
        }
    }

    static void hookedAdds(int n, Cell c) {
        for (int i = 0; i < n; i++) {
            Cell.$racewire$at$0(c, Cell.ADD_READ);
            int v = c.value * 31 + i;
            Cell.$racewire$at$0(c, Cell.ADD_WRITE);
            c.value = v;
        }
    }

    /** Many objects in turn: nothing of the hook can be moved out of the loop. */
    static void hookedMany(int n, Cell[] cells) {
        for (int i = 0; i < n; i++) {
            Cell c = cells[i & cells.length - 1];
            Cell.$racewire$at$0(c, Cell.ADD_READ);
            int v = c.value * 31 + i;
            Cell.$racewire$at$0(c, Cell.ADD_WRITE);
            c.value = v;
        }
    }

    static void plainMany(int n, Cell[] cells) {
        for (int i = 0; i < n; i++) {
            Cell c = cells[i & cells.length - 1];
            c.value = c.value * 31 + i;
        }
    }

    static void plainSelf(int n, Cell c) {
        for (int i = 0; i < n; i++) {
            synchronized (c) {
                c.value = c.value * 31 + i;
            }
        }
    }

    static void hookedSelf(int n, Cell c) {
        for (int i = 0; i < n; i++) {
            c.lockedAdd();
        }
    }

    static void hookedMonitor(int n, Cell c) {
        for (int i = 0; i < n; i++) {
            Hooks.beforeLock(MONITOR);
            synchronized (MONITOR) {
                try {
                    Hooks.afterLock(MONITOR);
                    c.add();
                } finally {
                    Hooks.beforeUnlock(MONITOR);
                }
            }
            Hooks.afterUnlock(MONITOR);
        }
    }

    static void plainMonitor(int n, Cell c) {
        for (int i = 0; i < n; i++) {
            synchronized (MONITOR) {
                c.value = c.value * 31 + i;
            }
        }
    }

    static void plainJuc(int n, Cell c) {
        for (int i = 0; i < n; i++) {
            LOCK.lock();
            c.value = c.value * 31 + i;
            LOCK.unlock();
        }
    }

    static void hookedJuc(int n, Cell c) {
        for (int i = 0; i < n; i++) {
            Hooks.lock(LOCK);
            c.add();
            Hooks.unlock(LOCK);
        }
    }

    static void reads(int n, Cell c) {
        int s = 0;
        for (int i = 0; i < n; i++) {
            s += c.get();
        }
        sink = s;
    }

    static void virgins(int n, boolean hooked) {
        Cell[] keep = new Cell[1024];
        for (int i = 0; i < n; i++) {
            Cell c = new Cell();
            if (hooked) {
                Cell.$racewire$at$0(c, Cell.SET);
            }
            c.value = i;
            keep[i & 1023] = c;
        }
        sink = keep[7].value;
    }

    /** A constant to the JIT, as the runtime's own call is. */
    static final class Steps {
        static final java.lang.invoke.MethodHandle HANDLE = find();

        private static java.lang.invoke.MethodHandle find() {
            try {
                java.lang.reflect.Method step = Class.forName("racewire.rt.Native")
                        .getDeclaredMethod("step", long.class, int.class, int.class);
                step.setAccessible(true);
                return java.lang.invoke.MethodHandles.lookup().unreflect(step);
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
        }
    }

    static long stepLoop(long word, int n) throws Throwable {
        long s = 0;
        for (int i = 0; i < n; i++) {
            s += (long) Steps.HANDLE.invokeExact(word, 1, 0);
        }
        return s;
    }

    public static void main(String[] args) throws Throwable {
        Cell simple = new Cell();
        report("read + write, simple word", time(n -> hookedAdds(n, simple), N), time(n -> plainAdds(n, simple), N));
        Cell[] many = new Cell[256];
        for (int i = 0; i < many.length; i++) {
            many[i] = new Cell();
        }
        report("read + write, 256 objects in turn", time(n -> hookedMany(n, many), N), time(n -> plainMany(n, many), N));
        Cell self = new Cell();
        report("synchronized (this) { this.f++ }", time(n -> hookedSelf(n, self), N / 4),
                time(n -> plainSelf(n, self), N / 4));
        Cell guarded = new Cell();
        report("synchronized (known) { c.f++ }", time(n -> hookedMonitor(n, guarded), N / 4),
                time(n -> plainMonitor(n, guarded), N / 4));
        Cell juc = new Cell();
        report("lock.lock() { c.f++ }", time(n -> hookedJuc(n, juc), N / 4), time(n -> plainJuc(n, juc), N / 4));
        report("new + first write (Virgin)", time(n -> virgins(n, true), N / 4), time(n -> virgins(n, false), N / 4));

        // Read by two threads: an interned word that nothing changes any more.
        Cell shared = new Cell();
        CountDownLatch done = new CountDownLatch(1);
        Hooks.start(Check.thread("reader", () -> {
            shared.get();
            done.countDown();
        }));
        done.await();
        report("read, interned word, remembered", time(n -> reads(n, shared), N / 4), 0);
        long word = shared.$racewire$value;
        report("Native.step through JNI, unchanged", time(n -> {
            try {
                stepLoop(word, n);
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
        }, N / 4), 0);
    }
}
