import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * A second write that repeats the first, with something released in between, or nothing. What is released orders other
 * threads behind the first write only: the second must be monitored ("stays"). Where nothing is, it need not be ("goes").
 * "locked": a lock is taken in between, which matters to some detectors.
 */
public class ReleasesBetween {
    static class Cell {
        int n;
    }

    static class Flag {
        volatile boolean up;
        int plain;
        volatile int count;
        static volatile boolean raised;

        void raise() {
            up = true;
        }

        static void raiseAll() {
            raised = true;
        }
    }

    /** Its first use ends its initialisation, behind which others are ordered. */
    static class Initialised {
        static int[] table = {1, 2, 3};
        static int sum = table.length;

        static int sum() {
            return 1;
        }

        int size = 1;
    }

    static class Below extends Initialised {
        int m;

        void inherits(Cell cell) {
            cell.n = 1;
            m = sum + sum();
            cell.n = 2; // goes: n
        }
    }

    enum Colour {
        RED, GREEN
    }

    /** A list whose elements are made when they are asked for, with a release. */
    static class Lazy extends AbstractList<String> {
        private final Flag flag;

        Lazy(Flag flag) {
            this.flag = flag;
        }

        @Override
        public String get(int index) {
            flag.up = true;
            return "";
        }

        @Override
        public int size() {
            return 2;
        }
    }

    static class Described {
        @Override
        public String toString() {
            Flag.raised = true;
            return "described";
        }
    }

    static final AtomicInteger COUNTER = new AtomicInteger();
    static final AtomicIntegerFieldUpdater<Flag> UPDATER =
            AtomicIntegerFieldUpdater.newUpdater(Flag.class, "count");
    static final VarHandle PLAIN;
    static volatile int own;
    static int quiet;

    static {
        try {
            PLAIN = MethodHandles.lookup().findVarHandle(Flag.class, "plain", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static int nothing(int by) {
        quiet += by;
        return quiet * 3;
    }

    static void farther(Flag flag) {
        if (nothing(1) > 1) {
            flag.raise();
        }
    }

    static void initialises() {
        if (quiet > 0) {
            new Initialised();
        }
    }

    static String describes(Object what) {
        return "It is " + what;
    }

    static synchronized void locks() {
        quiet++;
    }

    static void nothingBetween(Cell cell, int[] numbers) {
        cell.n = 1;
        numbers[0] = quiet;
        cell.n = 2; // goes: n
        int sum = nothing(cell.n) + Math.max(1, 2) + "a".length(); // goes: n
        cell.n = sum; // goes: n
        StringBuilder text = new StringBuilder().append(sum).append("b");
        cell.n = text.length(); // goes: n
    }

    static void volatileWrites(Cell cell, Flag flag) {
        cell.n = 1;
        own = 1;
        cell.n = 2; // stays: n
        flag.up = true;
        cell.n = 3; // stays: n
        Flag.raised = true;
        cell.n = 4; // stays: n
        boolean up = flag.up;
        cell.n = 5; // goes: n
    }

    static void calls(Cell cell, Flag flag, Object described) {
        cell.n = 1;
        flag.raise();
        cell.n = 2; // stays: n
        Flag.raiseAll();
        cell.n = 3; // stays: n
        farther(flag);
        cell.n = 4; // stays: n
        locks();
        cell.n = 5; // stays: n
        describes(described);
        cell.n = 6; // stays: n
        String text = "It is " + described;
        cell.n = 7; // stays: n
        Supplier<Flag> supplier = () -> {
            flag.up = true;
            return flag;
        };
        cell.n = 8; // goes: n
        supplier.get();
        cell.n = 9; // stays: n
    }

    static void classes(Cell cell) {
        cell.n = 1;
        int sum = Initialised.sum;
        cell.n = 2; // stays: n
        Initialised.sum();
        cell.n = 3; // stays: n
        new Initialised();
        cell.n = 4; // stays: n
        initialises();
        cell.n = 5; // stays: n
        Supplier<Initialised> maker = Initialised::new;
        cell.n = 6; // goes: n
        maker.get();
        cell.n = 7; // stays: n
        EnumMap<Colour, String> colours = new EnumMap<>(Colour.class);
        cell.n = 8; // stays: n
        new Cell();
        cell.n = 9; // goes: n
    }

    static void concurrent(Cell cell, Flag flag, BlockingQueue<Cell> queue) throws Exception {
        cell.n = 1;
        COUNTER.set(1);
        cell.n = 2; // stays: n
        COUNTER.compareAndSet(1, 2);
        cell.n = 3; // stays: n
        COUNTER.get();
        cell.n = 4; // goes: n
        UPDATER.incrementAndGet(flag);
        cell.n = 5; // stays: n
        PLAIN.setRelease(flag, 3);
        cell.n = 6; // stays: n
        queue.put(cell);
        cell.n = 7; // stays: n
        new CountDownLatch(1).countDown();
        cell.n = 8; // stays: n
        new CompletableFuture<Cell>().complete(cell);
        cell.n = 9; // stays: n
        Thread.currentThread().interrupt();
        cell.n = 10; // stays: n
        LockSupport.unpark(Thread.currentThread());
        cell.n = 11; // stays: n
        Thread.interrupted();
        Thread thread = new Thread(() -> { });
        thread.start();
        cell.n = 12; // stays: n
        thread.join();
    }

    static void collections(Cell cell, List<String> perhapsLocked, ArrayList<String> plain, Iterator<String> lazy,
            PriorityQueue<String> sorted) {
        cell.n = 1;
        perhapsLocked.get(0);
        cell.n = 2; // stays: n
        perhapsLocked.size();
        cell.n = 3; // stays: n
        lazy.next();
        cell.n = 4; // stays: n
        sorted.poll();
        cell.n = 5; // stays: n
        plain.addAll(perhapsLocked);
        cell.n = 6; // stays: n
    }

    static void loops(Cell cell, Flag flag) {
        cell.n = 1;
        for (int i = 0; i < 3; i++) {
            cell.n = i; // stays: n
            flag.up = true;
        }
        cell.n = 5; // stays: n
        for (int i = 0; i < 3; i++) {
            cell.n = i; // goes: n
            quiet++;
        }
        for (int i = 0; i < 3; i++) {
            if (i == 1) {
                COUNTER.set(i);
            }
            cell.n = i; // stays: n
        }
    }

    static void paths(Cell cell, Flag flag, int way) {
        cell.n = 1;
        if (way > 0) {
            flag.up = true;
        }
        cell.n = 2; // stays: n
        try {
            nothing(way);
            flag.raise();
        } catch (RuntimeException e) {
            cell.n = 3; // stays: n
        }
        cell.n = 4; // stays: n
    }

    static void monitors(Cell cell, Object lock) {
        cell.n = 1;
        synchronized (lock) {
            cell.n = 2; // locked: n
        }
        cell.n = 3; // stays: n
        synchronized (lock) {
            lock.notifyAll();
            cell.n = 4; // stays: n
        }
    }

    static void all(Cell cell) throws Exception {
        Flag flag = new Flag();
        List<String> lazy = new Lazy(flag);
        PriorityQueue<String> sorted = new PriorityQueue<>(Comparator.comparing(s -> {
            flag.up = true;
            return s;
        }));
        sorted.addAll(List.of("a", "b", "c"));
        nothingBetween(cell, new int[1]);
        volatileWrites(cell, flag);
        calls(cell, flag, new Described());
        classes(cell);
        new Below().inherits(cell);
        concurrent(cell, flag, new ArrayBlockingQueue<>(1));
        collections(cell, new ArrayList<>(List.of("a")), new ArrayList<>(), lazy.iterator(), sorted);
        loops(cell, flag);
        paths(cell, flag, 1);
        monitors(cell, flag);
    }

    public static void main(String[] args) throws Exception {
        Cell cell = new Cell();
        Thread[] threads = new Thread[2];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = new Thread(() -> {
                try {
                    all(cell);
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("done");
    }
}
