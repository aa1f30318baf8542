package models;

import static models.Threads.silent;
import static models.Threads.two;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;
import java.util.stream.*;

/** Atomics, VarHandles and field updaters. Nothing is raced on. */
public class Atomics {
    static final VarHandle FLAG;
    static final AtomicIntegerFieldUpdater<Atomics> UPDATER =
            AtomicIntegerFieldUpdater.newUpdater(Atomics.class, "updated");

    int flag;
    volatile int updated;

    static {
        try {
            FLAG = MethodHandles.lookup().findVarHandle(Atomics.class, "flag", int.class);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    public static void main(String[] args) throws Exception {
        // atomic reference
        {
            AtomicReference<List<Integer>> r = new AtomicReference<>();
            two(() -> {
                List<Integer> l = new ArrayList<>();
                l.add(1);
                r.set(l);
            }, () -> {
                List<Integer> l;
                while ((l = r.get()) == null) Thread.yield();
                l.add(2);
            });
        }
        // atomic cas
        {
            List<Integer> list = new ArrayList<>();
            AtomicInteger a = new AtomicInteger();
            two(() -> {
                list.add(1);
                a.incrementAndGet();
            }, () -> {
                while (!a.compareAndSet(1, 2)) Thread.yield();
                list.add(2);
            });
        }
        // atomic array
        {
            List<Integer> list = new ArrayList<>();
            AtomicIntegerArray a = new AtomicIntegerArray(4);
            two(() -> {
                list.add(1);
                a.set(3, 1);
            }, () -> {
                while (a.get(3) == 0) Thread.yield();
                list.add(2);
            });
        }
        // var handle
        {
            List<Integer> list = new ArrayList<>();
            Atomics h = new Atomics();
            two(() -> {
                list.add(1);
                FLAG.setRelease(h, 1);
            }, () -> {
                while ((int) FLAG.getAcquire(h) == 0) Thread.yield();
                list.add(2);
            });
        }
        // updater
        {
            List<Integer> list = new ArrayList<>();
            Atomics h = new Atomics();
            two(() -> {
                list.add(1);
                UPDATER.set(h, 1);
            }, () -> {
                while (UPDATER.get(h) == 0) Thread.yield();
                list.add(2);
            });
        }
    }
}
